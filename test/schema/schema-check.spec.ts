import { Workshop } from './workshop.js';

const BASELINE = 'test/schema/baseline.graphql';
const SDL = 'schema.graphql';
/** The field after which a test plants another. */
const ANCHOR = '  network: Network!\n';

describe('npm run lint:schema', () => {
  const workshop = new Workshop(['scripts/schema-check.js', SDL, BASELINE]);
  const check = (...options: string[]) => workshop.run('scripts/schema-check.js', ...options);
  beforeEach(() => workshop.restore());
  afterAll(() => workshop.close());

  it('passes for the present schema', () => {
    expect(check()).toEqual({ status: 0, output: expect.stringContaining('keeps every promise of the baseline') });
  });

  // The test makes the reverse of each change to the baseline, so that the schema itself stays whole.
  const BREACHES: readonly (readonly [what: string, from: string, to: string, named: string])[] = [
    ['a field removed', 'type Globals {', 'type Globals {\n  motto: String', "Field 'motto' was removed from object type 'Globals'"],
    ['a field retyped', 'network: Network!', 'network: String!', "Field 'Globals.network' changed type from 'String!' to 'Network!'"],
    [
      'a field made nullable',
      'status: PaymentSendResult\n',
      'status: PaymentSendResult!\n',
      "Field 'PaymentSendPayload.status' changed type",
    ],
    ['a type removed', 'scalar Memo', 'scalar Memo\n\nscalar Motto', "Type 'Motto' was removed"],
    ['an enum value removed', 'enum TxStatus {', 'enum TxStatus {\n  LOST', "Enum value 'LOST' was removed from enum 'TxStatus'"],
    ['a union member removed', '| Price |', '| Price | Globals |', "Member 'Globals' was removed from Union type 'UserUpdate'"],
    [
      'an argument removed',
      'globals: Globals',
      'globals(language: Language): Globals',
      "Argument 'language: Language' was removed from field 'Query.globals'",
    ],
    [
      'a required input field added',
      '  amount: SatAmount!\n  expiresIn',
      '  expiresIn',
      "Input field 'amount' of type 'SatAmount!' was added to input object type",
    ],
    [
      'a default of an argument changed',
      'currency: DisplayCurrency = "USD"',
      'currency: DisplayCurrency = "EUR"',
      "Default value for argument 'currency' on field 'Query.realtimePrice' changed from '\"EUR\"' to '\"USD\"'",
    ],
    ['an enum value added', '  PENDING\n  SUCCESS\n}', '  SUCCESS\n}', "Enum value 'PENDING' was added to enum"],
    ['a union member added', '| Price |', '|', "Member 'Price' was added to Union type 'UserUpdate'"],
    ['a default of an input changed', '[READ, WRITE]', '[READ]', "Input field 'ApiKeyCreateInput.scopes' default value changed from"],
  ];

  it('refuses and names every breach, all at once', () => {
    for (const [, from, to] of BREACHES) workshop.plant(BASELINE, from, to);
    const { status, output } = check();
    const breaking = output.split('\n').filter((line) => line.includes('breaking: '));
    for (const [what, , , named] of BREACHES) expect([what, breaking.some((line) => line.includes(named))]).toEqual([what, true]);
    expect(status).toBe(1);
  });

  it('permits additions, reports them, and records them on request', () => {
    workshop.plant(SDL, ANCHOR, `${ANCHOR}  "What this server says of itself; null when nothing."\n  motto: String\n`);
    expect(check()).toEqual({ status: 0, output: expect.stringContaining('it has grown') });
    expect(check('--accept').status).toBe(0);
    expect(workshop.read(BASELINE)).toContain('motto: String');
    workshop.plant(SDL, '  motto: String\n', '  motto: [String!]\n');
    expect(check()).toEqual({ status: 1, output: expect.stringContaining("Field 'Globals.motto' changed type") });
  });

  it('records additions for npm run generate, and a change that breaks clients only when a person accepts it', () => {
    const before = workshop.read(BASELINE);
    workshop.plant(SDL, ANCHOR, `${ANCHOR}  "What this server says of itself; null when nothing."\n  motto: String\n`);
    workshop.plant(SDL, '  network: Network!\n', '  network: Network\n');
    expect(check('--accept-additions')).toEqual({ status: 1, output: expect.stringContaining("'Globals.network' changed type") });
    expect(workshop.read(BASELINE)).toBe(before);
    workshop.plant(SDL, '  network: Network\n', '  network: Network!\n');
    expect(check('--accept-additions').status).toBe(0);
    expect(workshop.read(BASELINE)).toContain('motto: String');
  });

  it('warns of what clients could stumble over, without a failure', () => {
    workshop.plant(SDL, '  globals: Globals\n', '  globals("Of the texts." language: Language): Globals\n');
    expect(check()).toEqual({
      status: 0,
      output: expect.stringMatching(/note: Argument 'language: Language'.* added to field 'Query.globals'/),
    });
  });

  it('reports an invalid schema in one sentence', () => {
    workshop.plant(SDL, 'type BTCWallet implements Wallet {\n', 'type BTCWallet implements Wallet & Invoice {\n');
    const { status, output } = check();
    expect(status).toBe(1);
    expect(output).toContain('Interface field Invoice.createdAt expected but BTCWallet does not provide it');
    expect(output).not.toContain('    at ');
  });
});
