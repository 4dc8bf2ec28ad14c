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
