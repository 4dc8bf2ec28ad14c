import { bitcoinTextIn } from './bitcoin-text.js';

const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const BASE58 = '3P14159f73E4gFr7JterCCQh9QjiTjiZrG';
const plain = { kind: 'address', address: SEGWIT, sats: null, description: null };

it.each([
  SEGWIT,
  SEGWIT.toUpperCase(),
  `bitcoin:${SEGWIT}`,
  `BITCOIN:${SEGWIT.toUpperCase()}`,
  `bitcoin://${SEGWIT}`,
  `bitcoin:${SEGWIT}?`,
])('reads %s', (text) => {
  expect(bitcoinTextIn(text, 'mainnet')).toEqual(plain);
});

it('reads base58 as it is', () => {
  expect(bitcoinTextIn(`bitcoin:${BASE58}`, 'mainnet')).toEqual({ ...plain, address: BASE58 });
});

it('reads the amount and the words of a text of BIP 21, with names in any case', () => {
  const text = `bitcoin:${SEGWIT}?AMOUNT=0.00042&label=Tea%20House&message=Table%207&other=x`;
  expect(bitcoinTextIn(text, 'mainnet')).toEqual({ ...plain, sats: 42_000n, description: 'Tea House: Table 7' });
});

it.each([
  ['1', 100_000_000n],
  ['0.00000001', 1n],
  ['20.3', 2_030_000_000n],
  ['1.', 100_000_000n],
  ['0.100000000', 10_000_000n],
])('reads %s bitcoin', (amount, sats) => {
  expect(bitcoinTextIn(`bitcoin:${SEGWIT}?amount=${amount}`, 'mainnet')).toEqual({ ...plain, sats });
});

it.each(['', '0', '-1', '1e3', '0,1', '0.000000001', '999999999', '1.1.1', 'NaN'])(
  'refuses the amount %j, and never guesses one',
  (amount) => {
    expect(bitcoinTextIn(`bitcoin:${SEGWIT}?amount=${amount}`, 'mainnet')).toBe('invalid_amount');
  },
);

it.each([
  ['a wrong checksum', `${SEGWIT.slice(0, -1)}5`],
  ['mixed case', `BC1${SEGWIT.slice(3)}`],
  ['nothing', 'bitcoin:'],
  ['no address', 'bitcoin:alice?amount=1'],
  ['a wrong checksum in base58', `${BASE58.slice(0, -1)}H`],
])('refuses %s', (_, text) => {
  expect(bitcoinTextIn(text, 'mainnet')).toBe('invalid_address');
});

it('refuses an address of another network', () => {
  expect(bitcoinTextIn(SEGWIT, 'regtest')).toBe('address_of_other_network');
});

it('refuses what requires more than it knows', () => {
  expect(bitcoinTextIn(`bitcoin:${SEGWIT}?req-somethingyoudontunderstand=50`, 'mainnet')).toBe('unsupported');
});

it.each(['alice', 'alice@wallet.example', 'lnbc1xyz', 'https://wallet.example', '', '13', 'mnemonic'])(
  'leaves %j to other readers',
  (text) => {
    expect(bitcoinTextIn(text, 'mainnet')).toBeUndefined();
  },
);
