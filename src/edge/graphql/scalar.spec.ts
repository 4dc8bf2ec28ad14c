import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  graphqlSync,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  isScalarType,
  isSpecifiedScalarType,
  parseValue,
  type GraphQLScalarType,
} from 'graphql';
import { codegenBase } from './codegen-base.js';
import { InvalidValue, isLenientScalar } from './scalar.js';
import { scalarResolvers } from './scalars.js';

const scalar = (name: string): GraphQLScalarType => {
  const found = scalarResolvers[name];
  if (!found) throw new Error(`No scalar ${name}`);
  return found;
};
const variable = (name: string, value: unknown): unknown => shown(scalar(name).parseValue(value));
const literal = (name: string, source: string): unknown => shown(scalar(name).parseLiteral(parseValue(source), {}));
/** Shows `Invalid` as text, so that tables can contain it. */
const shown = (value: unknown): unknown => (value instanceof InvalidValue ? `! ${value.message}` : value);

const HASH = 'ab'.repeat(32);
const UUID = '0193a0f2-6c1e-7b1a-9d0c-0123456789ab';

describe('parseValue', () => {
  it.each<[name: string, given: unknown, taken: unknown]>([
    ['SatAmount', 0, 0],
    ['SatAmount', -0, 0],
    ['SatAmount', 21, 21],
    ['SatAmount', '1000', 1000],
    ['SatAmount', '007', 7],
    ['SatAmount', '2.0', 2],
    ['SatAmount', 408_163.2653, 408_163],
    ['SatAmount', 10_000_000_000_000.5, 10_000_000_000_000],
    ['SatAmount', `1.${'0'.repeat(20)}1`, '! Invalid value for SatAmount'],
    ['SatAmount', 0.1, 0],
    ['SafeInt', 1.5, '! Invalid value for SafeInt'],
    ['Seconds', 1.5, '! Invalid value for Seconds'],
    ['Timestamp', 1.5, '! Invalid value for Timestamp'],
    ['CentAmount', '21', 21],
    ['CentAmount', 1.5, '! Invalid value for CentAmount'],
    ['CentAmount', 10_000_000_000_001, '! Value too big for CentAmount'],
    ['Minutes', '15.0', 15],
    ['Minutes', '15.5', '! Invalid value for Minutes'],
    ['SatAmount', 10_000_000_000_000, 10_000_000_000_000],
    ['SatAmount', 10_000_000_000_001, '! Value too big for SatAmount'],
    ['SatAmount', '99999999999999999999', '! Value too big for SatAmount'],
    ['SatAmount', Infinity, '! Value too big for SatAmount'],
    ['SatAmount', -1, '! Invalid value for SatAmount'],
    ['SatAmount', '-1', '! Invalid value for SatAmount'],
    ['SatAmount', -0.5, '! Invalid value for SatAmount'],
    ['SatAmount', NaN, '! Invalid value for SatAmount'],
    ['SatAmount', '', '! Invalid value for SatAmount'],
    ['SatAmount', ' 1', '! Invalid value for SatAmount'],
    ['SatAmount', '1e3', '! Invalid value for SatAmount'],
    ['SatAmount', '0x10', '! Invalid value for SatAmount'],
    ['SatAmount', '1\n', '! Invalid value for SatAmount'],
    ['SatAmount', 1n, '! Invalid value for SatAmount'],
    ['SatAmount', true, '! Invalid value for SatAmount'],
    ['SatAmount', [1], '! Invalid value for SatAmount'],
    ['SatAmount', { valueOf: () => 1 }, '! Invalid value for SatAmount'],
    ['Minutes', 15, 15],
    ['Minutes', '15', 15],
    ['Minutes', 0, 0],
    ['Minutes', 1.5, '! Invalid value for Minutes'],
    ['Minutes', -1, '! Invalid value for Minutes'],
    ['Minutes', 2 ** 53, '! Value too big for Minutes'],
    ['SignedAmount', '-5', -5],
    ['SignedAmount', -(2 ** 53), '! Invalid value for SignedAmount'],
    ['SafeInt', 2 ** 53 - 1, 2 ** 53 - 1],
    ['SafeInt', 2 ** 53, '! Value too big for SafeInt'],
    ['Timestamp', 1_700_000_000, 1_700_000_000],
    ['Timestamp', '1700000000', 1_700_000_000],
    ['Timestamp', 1_700_000_000_000, '! Value too big for Timestamp'],
    ['Timestamp', '2026-01-01', '! Invalid value for Timestamp'],
    ['SignedDisplayMajorAmount', '-1.05', '-1.05'],
    ['SignedDisplayMajorAmount', '1,05', '! Invalid value for SignedDisplayMajorAmount'],
    ['WalletId', UUID, UUID],
    ['WalletId', UUID.toUpperCase(), UUID],
    ['WalletId', UUID.replaceAll('-', ''), '! Invalid value for WalletId'],
    ['WalletId', `${UUID}\n`, '! Invalid value for WalletId'],
    ['WalletId', 7, '! Invalid value for WalletId'],
    ['PaymentHash', HASH, HASH],
    ['PaymentHash', HASH.toUpperCase(), HASH],
    ['PaymentHash', HASH.slice(1), '! Invalid value for PaymentHash'],
    ['PaymentHash', `${HASH}0`, '! Invalid value for PaymentHash'],
    ['LnPaymentPreImage', HASH.toUpperCase(), HASH],
    ['LnPaymentSecret', 'x'.repeat(64), '! Invalid value for LnPaymentSecret'],
    ['OnChainTxHash', HASH, HASH],
    ['Hex32Bytes', HASH, HASH],
    ['Hex32Bytes', HASH.toUpperCase(), '! Hex32Bytes is not valid hex'],
    ['Hex32Bytes', 'xyz', '! Hex32Bytes is not valid hex'],
    ['Hex32Bytes', 'abcd', '! Hex32Bytes is not 32 bytes'],
    ['Hex32Bytes', '', '! Hex32Bytes is not 32 bytes'],
    ['Hex32Bytes', 1, '! Invalid value for Hex32Bytes'],
    ['LnPaymentRequest', 'LNBCRT1ABC', 'lnbcrt1abc'],
    ['LnPaymentRequest', 'LNBCRT1abc', '! Invalid value for LnPaymentRequest'],
    ['LnPaymentRequest', ' lightning:LNBC1\n', 'lnbc1'],
    ['LnPaymentRequest', 'bitcoin:bc1qx?lightning=lnbc1', 'lnbc1'],
    ['LnPaymentRequest', 'lnbc1\nlnbc1', '! Invalid value for LnPaymentRequest'],
    ['LnPaymentRequest', 'ln', '! Invalid value for LnPaymentRequest'],
    ['LnPaymentRequest', `ln${'a'.repeat(7_087)}`, `ln${'a'.repeat(7_087)}`],
    ['LnPaymentRequest', `ln${'a'.repeat(7_088)}`, '! Invalid value for LnPaymentRequest'],
    ['Memo', '', ''],
    ['Memo', 'naïve ☕ 🧡', 'naïve ☕ 🧡'],
    ['Memo', 'a'.repeat(639), 'a'.repeat(639)],
    ['Memo', 'a'.repeat(640), '! Memo is too long'],
    ['Memo', `${'é'.repeat(319)}ab`, '! Memo is too long'],
    ['Memo', 'a\0b', '! Invalid value for Memo'],
    ['Memo', 'half \ud83e', '! Invalid value for Memo'],
    ['Memo', '\udd70 half', '! Invalid value for Memo'],
    ['Memo', 5, '! Invalid value for Memo'],
    ['Username', 'Alice_1', 'alice_1'],
    ['Username', 'al', '! Invalid value for Username'],
    ['Username', '12345', '! Invalid value for Username'],
    ['Username', '_alice', '! Invalid value for Username'],
    ['Username', '1alice', '! Invalid value for Username'],
    ['Username', '2alice', '2alice'],
    ['Username', 'bc1alice', '! Invalid value for Username'],
    ['Username', 'LNBC1alice', '! Invalid value for Username'],
    ['Username', 'a'.repeat(50), 'a'.repeat(50)],
    ['Username', 'a'.repeat(51), '! Invalid value for Username'],
    ['TxExternalId', 'order-7_a', 'order-7_a'],
    ['TxExternalId', 'Order', '! Invalid value for TxExternalId'],
    ['TxExternalId', '', '! Invalid value for TxExternalId'],
    ['TxExternalId', 'a'.repeat(101), '! Invalid value for TxExternalId'],
    ['DisplayCurrency', 'usd', 'USD'],
    ['DisplayCurrency', 'USDT', 'USDT'],
    ['DisplayCurrency', 'US', '! Invalid value for DisplayCurrency'],
    ['DisplayCurrency', 'U$D', '! Invalid value for DisplayCurrency'],
    ['Language', '', ''],
    ['Language', 'DEFAULT', ''],
    ['Language', 'EN-us', 'en-US'],
    ['Language', 'pt-br', 'pt-BR'],
    ['Language', 'zh-hant-tw', 'zh-Hant-TW'],
    ['Language', 'xh', 'xh'],
    ...['qq', 'xyz', 'en-', 'e', '-', 'en-u', 'en_US', 'english', 'en-us-us'].map(
      (tag) => ['Language', tag, '! Invalid value for Language'] as [string, string, string],
    ),
    ['Language', 'english!', '! Invalid value for Language'],
    ['EmailAddress', 'alice@example.test', 'alice@example.test'],
    ['EmailAddress', 'alice', '! Invalid value for EmailAddress'],
    ['EmailAddress', `${'a'.repeat(250)}@b.co`, '! Invalid value for EmailAddress'],
    ['OnChainAddress', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'],
    ['OnChainAddress', 'here', '! Invalid value for OnChainAddress'],
  ])('%s parses %p as %p', (name, given, taken) => {
    expect(variable(name, given)).toBe(taken);
  });
});

describe('parseLiteral', () => {
  it.each<[name: string, source: string, taken: unknown]>([
    ['SatAmount', '21', 21],
    ['SatAmount', '-1', '! Invalid value for SatAmount'],
    ['SatAmount', '99999999999999999999', '! Value too big for SatAmount'],
    ['SatAmount', '"21"', '! Invalid value for SatAmount'],
    ['SatAmount', '2.0', 2],
    ['SatAmount', '0.5', 0],
    ['SatAmount', `1.${'0'.repeat(20)}1`, 1],
    ['SatAmount', `1.${'9'.repeat(20)}`, 1],
    ['SatAmount', '10000000000001.5', '! Value too big for SatAmount'],
    ['SatAmount', '-0.5', '! Invalid value for SatAmount'],
    ['CentAmount', '2.5', '! Invalid value for CentAmount'],
    ['Minutes', `2.${'0'.repeat(20)}1`, '! Invalid value for Minutes'],
    ['Minutes', '2.0', 2],
    ['Memo', '2.0', '! Invalid value for Memo'],
    ['SatAmount', 'MANY', '! Invalid value for SatAmount'],
    ['SatAmount', '{ sats: 1 }', '! Invalid value for SatAmount'],
    ['Memo', '"tea"', 'tea'],
    ['Memo', '"""\n  tea\n  """', 'tea'],
    ['Memo', '5', '! Invalid value for Memo'],
    ['Memo', '"\\u0000"', '! Invalid value for Memo'],
    ['WalletId', `"${UUID}"`, UUID],
    ['WalletId', '["x"]', '! Invalid value for WalletId'],
  ])('%s parses %s as %p', (name, source, taken) => {
    expect(literal(name, source)).toBe(taken);
  });
});

describe('serialize', () => {
  it('writes timestamps as whole seconds, from a Date or from seconds', () => {
    expect(scalar('Timestamp').serialize(new Date(1_700_000_000_999))).toBe(1_700_000_000);
    expect(scalar('Timestamp').serialize(1_700_000_000)).toBe(1_700_000_000);
  });

  it.each<[name: string, value: unknown]>([
    ['Timestamp', new Date(NaN)],
    ['Timestamp', Date.now()],
    ['Timestamp', '2026-01-01T00:00:00Z'],
    ['SatAmount', 2 ** 53],
    ['SatAmount', 1.5],
    ['SatAmount', 1n],
    ['SignedAmount', NaN],
    ['SignedAmount', '5'],
    ['SafeInt', Infinity],
    ['SignedDisplayMajorAmount', 1.05],
    ['SignedDisplayMajorAmount', 'NaN'],
    ['WalletId', Buffer.from('x')],
  ])('refuses %s %p', (name, value) => {
    expect(() => scalar(name).serialize(value)).toThrow(TypeError);
  });

  it('names the scalar in its error, and never the value', () => {
    expect(() => scalar('LnPaymentPreImage').serialize({ secret: 'swordfish' })).toThrow(/^LnPaymentPreImage must be a text$/);
  });
});

describe('the scalars together', () => {
  const inSdl = Object.values(buildSchema(readFileSync(join(__dirname, '../../../schema.graphql'), 'utf8')).getTypeMap())
    .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
    .map(({ name }) => name)
    .sort();

  it('are those of the SDL, no more and no less, in the code and in the generated types', () => {
    expect(Object.keys(scalarResolvers).sort()).toEqual(inSdl);
    expect(['ID', ...inSdl]).toEqual(
      Object.keys(codegenBase.config.scalars).sort((a, b) => (a === 'ID' ? -1 : b === 'ID' ? 1 : a < b ? -1 : 1)),
    );
  });

  it('are marked as lenient, and others are not', () => {
    expect(Object.values(scalarResolvers).every(isLenientScalar)).toBe(true);
    expect([GraphQLString, undefined, {}].some(isLenientScalar)).toBe(false);
  });

  it('have no description beside that of the SDL', () => {
    expect(Object.values(scalarResolvers).filter((each) => 'description' in each || 'specifiedByURL' in each)).toEqual([]);
  });

  it('carry an invalid value through validation and coercion into the arguments, from literals and variables alike', () => {
    const seen: unknown[] = [];
    const fields = {
      pay: {
        type: GraphQLString,
        args: { amount: { type: scalar('SatAmount') }, memo: { type: scalar('Memo') } },
        resolve: (_: unknown, args: object) => void seen.push(args),
      },
    };
    const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields }) });
    const source = 'query ($memo: Memo) { pay(amount: -1, memo: $memo) }';
    expect(graphqlSync({ schema, source, variableValues: { memo: 'a\0' } })).toEqual({ data: { pay: null } });
    expect(seen).toEqual([{ amount: new InvalidValue('Invalid value for SatAmount'), memo: new InvalidValue('Invalid value for Memo') }]);
  });
});
