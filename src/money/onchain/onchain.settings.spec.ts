import { validateSync } from 'class-validator';
import { OnChainSettings } from './onchain.settings.js';

const settings = (given: Partial<OnChainSettings>): OnChainSettings => Object.assign(new OnChainSettings(), given);

it.each(['https://explorer.example/tx/{txid}', 'http://localhost:3002/tx/{txid}?network=regtest'])('takes %s', (url) => {
  expect(validateSync(settings({ BLOCK_EXPLORER_URL: url }))).toEqual([]);
  expect(settings({ BLOCK_EXPLORER_URL: url }).explorerUrlOf('ab')).toBe(url.replace('{txid}', 'ab'));
});

it.each(['https://explorer.example/tx/', 'javascript:alert({txid})', '/tx/{txid}', 'https://explorer.example/{txid}/{address}', ''])(
  'refuses %j',
  (url) => {
    const [error] = validateSync(settings({ BLOCK_EXPLORER_URL: url }));
    expect(Object.values(error?.constraints ?? {})).toEqual([
      'BLOCK_EXPLORER_URL must be a URL with {txid} in it, such as https://…/tx/{txid}',
    ]);
  },
);

it('links nowhere without one', () => {
  expect(settings({}).explorerUrlOf('ab')).toBeNull();
});

it.each([
  [1n, 2],
  [1_000_000n, 2],
  [1_000_001n, 3],
  [10_000_000n, 3],
  [10_000_001n, 6],
])('asks for confirmations by what a transaction brings: %d sats need %d', (sats, confirmations) => {
  expect(settings({}).confirmationsOf(sats)).toBe(confirmations);
});

it('charges nothing above the bound', () => {
  expect([1_000_000n, 1_000_001n].map((sats) => settings({}).depositFeeOf(sats))).toEqual([2_500, 0]);
});
