import { Workshop } from './workshop.js';

const BASELINE = 'test/schema/baseline.graphql';
const SDL = 'schema.graphql';
/** The field after which a test plants another. */
const ANCHOR = '  network: Network!\n';

describe('npm run lint:schema', () => {
  const workshop = new Workshop(['scripts/schema-check.js', 'scripts/schema-lint.js', SDL, BASELINE]);
  const check = (...options: string[]) => workshop.run('scripts/schema-check.js', ...options);
  beforeEach(() => workshop.restore());
  afterAll(() => workshop.close());

  it('passes for the present schema', () => {
    expect(check()).toEqual({ status: 0, output: expect.stringContaining('keeps the rules') });
  });

  // The test makes the reverse of each change to the baseline, so that the schema itself stays whole.
  it.each<[what: string, from: string, to: string, named: string]>([
    ['a field removed', 'type Globals {', 'type Globals {\n  motto: String', 'Globals.motto was removed'],
    ['a field retyped', 'network: Network!', 'network: String!', 'Globals.network changed type'],
    ['a field made nullable', 'status: PaymentSendResult\n', 'status: PaymentSendResult!\n', 'PaymentSendPayload.status changed type'],
    ['a type removed', 'scalar Memo', 'scalar Memo\n\nscalar Motto', 'Motto was removed'],
    ['an enum value removed', 'enum TxStatus {', 'enum TxStatus {\n  LOST', 'LOST was removed from enum type TxStatus'],
    ['a union member removed', '| Price |', '| Price | Globals |', 'Globals was removed from union type UserUpdate'],
    ['an argument removed', 'globals: Globals', 'globals(language: Language): Globals', 'globals arg language was removed'],
    ['a required input field added', '  amount: SatAmount!\n  expiresIn', '  expiresIn', 'required field amount on input type'],
    [
      'a default of an argument changed',
      'currency: DisplayCurrency = "USD"',
      'currency: DisplayCurrency = "EUR"',
      'had the default "EUR", now "USD"',
    ],
    ['a default of an input changed', '[READ, WRITE]', '[READ]', 'ApiKeyCreateInput.scopes had the default [READ], now [READ, WRITE]'],
  ])('refuses and names %s', (_what, from, to, named) => {
    workshop.plant(BASELINE, from, to);
    const { status, output } = check();
    expect(output).toContain('breaking: ');
    expect(output).toContain(named);
    expect(status).toBe(1);
  });

  it('permits additions, reports them, and records them on request', () => {
    workshop.plant(SDL, ANCHOR, `${ANCHOR}  "What this server says of itself; null when nothing."\n  motto: String\n`);
    expect(check()).toEqual({ status: 0, output: expect.stringContaining('it has grown') });
    expect(check('--accept').status).toBe(0);
    expect(workshop.read(BASELINE)).toContain('motto: String');
    workshop.plant(SDL, '  motto: String\n', '  motto: [String!]\n');
    expect(check()).toEqual({ status: 1, output: expect.stringContaining('Globals.motto changed type') });
  });

  it('warns of what clients could stumble over, without a failure', () => {
    workshop.plant(SDL, 'enum TxStatus {\n', 'enum TxStatus {\n  "The outcome is lost."\n  LOST\n');
    expect(check()).toEqual({ status: 0, output: expect.stringContaining('note: LOST was added to enum type TxStatus') });
  });

  it.each<[what: string, planted: string, named: string]>([
    ['a field without a description', 'motto: String', 'Globals.motto is not described'],
    ['a description that is no sentence', '"motto"\n motto: String', 'Globals.motto is not described'],
    ['an argument without a description', '"What it says."\n motto(long: Boolean): String', 'Globals.motto(long:) is not described'],
    ['a name in another style', '"What it says."\n motto_text: String', 'Globals.motto_text is not written'],
    ['a list of nullable elements', '"What it says."\n mottos: [String]!', 'Globals.mottos is a list whose elements may be null'],
    ['a nested list of nullable elements', '"What it says."\n mottos: [[String]!]!', 'Globals.mottos is a list'],
    ['a deprecation without a reason', '"What it says."\n motto: String @deprecated', 'Globals.motto is deprecated without saying'],
    ['a connection without paging', '"What came."\n transactions: TransactionConnection', 'Globals.transactions has no after: String'],
  ])('refuses %s', (_what, planted, named) => {
    workshop.plant(SDL, ANCHOR, `${ANCHOR}  ${planted}\n`);
    expect(check()).toEqual({ status: 1, output: expect.stringContaining(named) });
  });

  it.each<[what: string, from: string, to: string, named: string]>([
    ['a mutation that answers no payload', '): SuccessPayload!', '): Globals!', 'lnInvoiceCancel does not answer a non-null payload'],
    [
      'a payload without errors',
      '  "Errors; empty on success."\n  errors: [Error!]!\n  "Whether the operation',
      '  "Whether the operation',
      'SuccessPayload has no errors',
    ],
    ['a payload that cannot carry errors alone', 'success: Boolean\n', 'success: Boolean!\n', 'SuccessPayload.success is non-null'],
    [
      'an argument beside input',
      '("Identifies the invoice." input: LnInvoiceCancelInput!)',
      '("Identifies the invoice." hash: PaymentHash!)',
      'lnInvoiceCancel has an argument',
    ],
    [
      'an input by another name',
      'input LnInvoiceCancelInput',
      'input LnInvoiceCancelRequest',
      'LnInvoiceCancelRequest should end in Input',
    ],
    ['an enum value in another style', '  LOST\n', '  lost\n', 'TxStatus.lost is not written'],
    ['an edge without a cursor', 'node: Invoice!', 'node: Invoice', 'InvoiceEdge has no node: Invoice!'],
    ['a connection of nullable edges', '[InvoiceEdge!]', '[InvoiceEdge]', 'InvoiceConnection has no edges'],
  ])('refuses %s', (_what, from, to, named) => {
    if (from.includes('LOST')) workshop.plant(SDL, 'enum TxStatus {\n', 'enum TxStatus {\n  "The outcome is lost."\n  LOST\n');
    if (to.includes('Request')) workshop.plant(SDL, 'LnInvoiceCancelInput!', 'LnInvoiceCancelRequest!');
    workshop.plant(SDL, from, to);
    expect(check()).toEqual({ status: 1, output: expect.stringContaining(named) });
  });

  it('reports an invalid schema in one sentence', () => {
    workshop.plant(SDL, 'type BTCWallet implements Wallet {\n', 'type BTCWallet implements Wallet & Invoice {\n');
    const { status, output } = check();
    expect(status).toBe(1);
    expect(output).toContain('Interface field Invoice.createdAt expected but BTCWallet does not provide it');
    expect(output).not.toContain('    at ');
  });
});
