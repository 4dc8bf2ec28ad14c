import { bitcoinUri } from './bitcoin-uri.js';

const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const request = { address: SEGWIT, sats: 4_200, label: 'alice@wallet.example', paymentRequest: 'lnbc42u1pqqqq' };

it('has the address, the amount in bitcoin, who is paid, and the invoice, in capitals where every wallet reads them', () => {
  expect(bitcoinUri(request)).toBe(`bitcoin:${SEGWIT.toUpperCase()}?amount=0.000042&label=alice%40wallet.example&lightning=LNBC42U1PQQQQ`);
});

it.each([
  [1, '0.00000001'],
  [2_500, '0.000025'],
  [100_000_000, '1'],
  [1_000_000_000, '10'],
  [10_000_000_000_000, '100000'],
  [123_456_789_012, '1234.56789012'],
])('writes %d sats as %s', (sats, written) => {
  expect(new URL(bitcoinUri({ ...request, sats })).searchParams.get('amount')).toBe(written);
});

it('leaves out the amount where the payer chooses it', () => {
  expect([...new URL(bitcoinUri({ ...request, sats: null })).searchParams.keys()]).toEqual(['label', 'lightning']);
});

it('keeps the letters of base58, which stand for themselves', () => {
  const address = '3P14159f73E4gFr7JterCCQh9QjiTjiZrG';
  expect(new URL(bitcoinUri({ ...request, address })).pathname).toBe(address);
});

it('cannot be given another invoice by a label', () => {
  const { searchParams } = new URL(bitcoinUri({ ...request, label: 'x&lightning=lnbc1evil#' }));
  expect([searchParams.getAll('lightning'), searchParams.get('label')]).toEqual([['LNBC42U1PQQQQ'], 'x&lightning=lnbc1evil#']);
});
