import { rowsFrom } from '../../src/edge/graphql/codegen-base.js';
import { Workshop } from '../schema/workshop.js';
import { compile } from '../support/compiler.js';
import { generated, read } from './drift/generated.js';

const SDL = read('schema.graphql');
const TYPES = 'src/generated/graphql.ts';

/** drift.spec.ts tests the bridge kind by kind; this proves that the application depends on it. */
const DRIFTS: readonly (readonly [what: string, from: string, to: string, named: RegExp])[] = [
  ['a field of a row renamed', '  username: Username\n}', '  handle: Username\n}', /complete\.ts.*"handle"/],
  ['a computed field retyped', '  balance: SignedAmount!', '  balance: SignedDisplayMajorAmount!', /account\.resolver\.ts[^]*'balance'/],
  ['a query added', 'type Query {', 'type Query {\n  motto: String', /complete\.ts.*"motto"/],
  ['a mutation renamed', '  lnInvoiceCancel(', '  lnInvoiceRevoke(', /invoice-mutation\.resolver\.ts[^]*lnInvoiceCancel/],
  ['a subscription added', 'type Subscription {', 'type Subscription {\n  mottoes: SuccessPayload!', /complete\.ts.*"mottoes"/],
  [
    'a payload field added',
    'type LnInvoicePayload {',
    'type LnInvoicePayload {\n  colour: Memo',
    /invoice-mutation\.resolver\.ts[^]*Property 'lnInvoiceCreate'/,
  ],
  ['an enum value renamed', '  ALREADY_PAID\n', '  REPEATED\n', /complete\.ts.*"status"/],
];

const TIPPING = read('test/extensions/tipping/tipping.graphql');
const EXTENSION = 'test/extensions/tipping/';

const EXTENSION_DRIFTS: readonly (readonly [what: string, from: string, to: string, named: RegExp])[] = [
  ['a query added', 'extend type Query {', 'extend type Query {\n  tipJar: String', /complete\.ts.*"tipJar"/],
  ['an argument added', 'tipsReceived: TipSummary!', 'tipsReceived(since: Timestamp): TipSummary!', /complete\.ts.*"tipsReceived"/],
  ['a field of a core type renamed', 'isTip: Boolean!', 'wasTip: Boolean!', /tipping\.resolver\.ts[^]*isTip/],
  ['a field of its own type added', 'type TipSummary {', 'type TipSummary {\n  biggest: SatAmount!', /complete\.ts[^]*"biggest"/],
];

const workshop = new Workshop(['src', 'migrations', 'schema.graphql', 'test/types', 'test/extensions']);
let drifted: string[];

// Compiling the application takes seconds, so the test plants all drifts at once, each in a place of its own.
beforeAll(() => {
  const all = DRIFTS.reduce((sdl, [, from, to]) => sdl.replaceAll(from, to), SDL);
  const extended = EXTENSION_DRIFTS.reduce((sdl, [, from, to]) => sdl.replace(from, to), TIPPING);
  const ofExtension = generated(
    { extended: `${SDL}\n${extended}` },
    rowsFrom(() => '../../../src/index.js'),
  );
  workshop.write(TYPES, generated({ all })['all'] ?? '');
  workshop.write(`${EXTENSION}generated.ts`, ofExtension['extended'] ?? '');
  drifted = compile(workshop.folder, ['test/types/complete.ts', `${EXTENSION}complete.ts`], { rootDir: workshop.folder });
});
afterAll(() => workshop.close());

describe('the application', () => {
  it.each(DRIFTS)('does not compile after a drift: %s', (_what, from, _to, named) => {
    expect(SDL).toContain(from);
    expect(drifted.filter((message) => named.test(message) && !message.startsWith(EXTENSION))).not.toEqual([]);
  });
});

describe('the example extension', () => {
  it.each(EXTENSION_DRIFTS)('does not compile after a drift of its SDL: %s', (_what, from, _to, named) => {
    expect(TIPPING).toContain(from);
    expect(drifted.filter((message) => named.test(message) && message.startsWith(EXTENSION))).not.toEqual([]);
  });
});
