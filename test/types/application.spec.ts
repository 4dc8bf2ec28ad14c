import { rowsFrom } from '../../src/edge/graphql/codegen-base.js';
import { Compiler, generated, read } from './drift/compiler.js';

const SDL = read('schema.graphql');
const TYPES = 'src/generated/graphql.ts';

/** drift.spec.ts tests the bridge kind by kind; this proves that the application depends on it. */
const DRIFTS: readonly (readonly [what: string, from: string, to: string, named: RegExp])[] = [
  ['a field of a row renamed', '  username: Username\n}', '  handle: Username\n}', /complete\.ts.*"handle"/],
  ['a computed field retyped', '  balance: SignedAmount!', '  balance: SignedDisplayMajorAmount!', /account\.resolver\.ts[^]*'balance'/],
  ['a query added', 'type Query {', 'type Query {\n  motto: String', /complete\.ts.*"motto"/],
  ['a mutation renamed', '  lnInvoiceCancel(', '  lnInvoiceRevoke(', /invoice-mutation\.resolver\.ts[^]*lnInvoiceCancel/],
  ['a subscription added', 'type Subscription {', 'type Subscription {\n  mottoes: SuccessPayload!', /complete\.ts.*"mottoes"/],
  ['a payload field added', 'type LnInvoicePayload {', 'type LnInvoicePayload {\n  colour: Memo', /'colour'/],
  ['an enum value renamed', '  ALREADY_PAID\n', '  REPEATED\n', /complete\.ts.*"status"/],
];

describe('the application', () => {
  const compiler = new Compiler('test/types/complete.ts');
  let drifted: string[];

  // Compiling the application takes seconds, so the test plants all drifts at once, each in a place of its own.
  beforeAll(() => {
    const all = DRIFTS.reduce((sdl, [, from, to]) => sdl.replaceAll(from, to), SDL);
    drifted = compiler.compile(TYPES, generated({ all })['all'] ?? '');
  });

  it.each(DRIFTS)('does not compile after a drift: %s', (_what, from, _to, named) => {
    expect(SDL).toContain(from);
    expect(drifted.filter((message) => named.test(message))).not.toEqual([]);
  });
});

const TIPPING = read('test/extensions/tipping/tipping.graphql');
const EXTENSION_TYPES = 'test/extensions/tipping/generated.ts';

const EXTENSION_DRIFTS: readonly (readonly [what: string, from: string, to: string, named: RegExp])[] = [
  ['a query added', 'extend type Query {', 'extend type Query {\n  tipJar: String', /complete\.ts.*"tipJar"/],
  ['an argument added', 'tipsReceived: TipSummary!', 'tipsReceived(since: Timestamp): TipSummary!', /complete\.ts.*"tipsReceived"/],
  ['a field of a core type renamed', 'isTip: Boolean!', 'wasTip: Boolean!', /tipping\.resolver\.ts[^]*isTip/],
  ['a field of its own type added', 'type TipSummary {', 'type TipSummary {\n  biggest: SatAmount!', /complete\.ts[^]*"biggest"/],
];

describe('the example extension', () => {
  const compiler = new Compiler('test/extensions/tipping/complete.ts');
  let drifted: string[];

  beforeAll(() => {
    const drift = EXTENSION_DRIFTS.reduce((sdl, [, from, to]) => sdl.replace(from, to), TIPPING);
    const types = generated(
      { drifted: `${SDL}\n${drift}` },
      rowsFrom(() => '../../../src/index.js'),
    );
    drifted = compiler.compile(EXTENSION_TYPES, types['drifted'] ?? '');
  });

  it.each(EXTENSION_DRIFTS)('does not compile after a drift of its SDL: %s', (_what, from, _to, named) => {
    expect(TIPPING).toContain(from);
    expect(drifted.filter((message) => named.test(message))).not.toEqual([]);
  });
});
