import { readAddress } from './address.js';

const [P2WPKH, P2TR] = ['bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'];

it.each([
  [P2WPKH, 'regtest', 294n],
  [P2WPKH.toUpperCase(), 'regtest', 294n],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'mainnet', 294n],
  ['tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7', 'testnet', 330n],
  ['tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7', 'signet', 330n],
  [P2TR, 'mainnet', 330n],
  ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'mainnet', 546n],
  ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'mainnet', 540n],
  ['mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'regtest', 546n],
] as const)('%s is an address of %s, whose dust is below %s sats', (text, network, dustSats) => {
  const address = /^[A-Z\d]+$/.test(text) ? text.toLowerCase() : text;
  expect(readAddress(text, network)).toMatchObject({ address, dustSats, script: expect.any(Uint8Array) as unknown });
});

it.each([
  [P2WPKH, 'mainnet'],
  [P2WPKH, 'testnet'],
  [P2TR, 'regtest'],
  ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'regtest'],
] as const)('%s is of another network than %s', (text, network) => {
  expect(readAddress(text, network)).toBe('other_network');
});

it.each([
  ['mixed case', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygT080'],
  ['a wrong checksum', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt081'],
  ['a wrong checksum of base58', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3'],
  ['witness version 1 with the checksum of version 0 (BIP 350)', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd'],
  ['witness version 2', 'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs'],
  ['witness version 16', 'BC1SW50QGDZ25J'],
  ['version 0 with a program of another length', 'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P'],
  ['a space', ` ${P2WPKH}`],
  ['an invoice', 'lnbcrt10n1p0'],
  ['nothing', ''],
])('%s is no address', (_what, text) => {
  for (const network of ['regtest', 'mainnet'] as const) expect(readAddress(text, network)).toBe('invalid');
});
