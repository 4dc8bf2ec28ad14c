import { Logger } from '@nestjs/common';
import { SystemClock } from '../../platform/kernel/clock.js';
import { Metrics } from '../../platform/metrics/index.js';
import { LightningSettings } from '../lightning/index.js';
import type { OnChainBackend } from './onchain-backend.js';
import { OnChainWallet } from './onchain-wallet.js';

beforeAll(() => Logger.overrideLogger(false));

const UNKNOWN = { status: 'unknown' };
const SETTINGS = Object.assign(new LightningSettings(), { LIGHTNING_CALL_SECONDS: 0.01 });
const walletOf = (backend: Partial<OnChainBackend> | null, metrics = new Metrics()): OnChainWallet =>
  new OnChainWallet(backend && ({ portVersion: 1, ...backend } as OnChainBackend), SETTINGS, new SystemClock(), metrics);

it('without a back end is not present, and knows nothing', async () => {
  const wallet = walletOf(null);
  expect([wallet.isPresent, [...wallet.capabilities]]).toEqual([false, []]);
  expect(await wallet.newAddress()).toEqual(UNKNOWN);
  expect(await wallet.releaseLease('ab')).toBe('unknown');
});

it('passes calls and answers on', async () => {
  const lookup = jest.fn().mockResolvedValue({ status: 'mempool' });
  const wallet = walletOf({ lookup, capabilities: new Set(['conflicts']) });
  expect([wallet.isPresent, [...wallet.capabilities]]).toEqual([true, ['conflicts']]);
  expect(await wallet.lookup('ab')).toEqual({ status: 'mempool' });
  expect(lookup.mock.calls).toEqual([['ab']]);
});

it('counts a late answer and an exception as unknown', async () => {
  const metrics = new Metrics();
  const publish = (): Promise<never> => new Promise(() => undefined);
  const renewLease = (): never => {
    throw new Error('no connection');
  };
  const wallet = walletOf({ publish, renewLease }, metrics);
  expect(await wallet.publish('00', '')).toEqual(UNKNOWN);
  expect(await wallet.renewLease({ id: 'ab', seconds: 1 }, [])).toBe('unknown');
  const text = await metrics.text();
  expect(text).toContain('sluice_onchain_call_faults_total{call="publish",fault="late"} 1');
  expect(text).toContain('sluice_onchain_call_faults_total{call="renewLease",fault="threw"} 1');
});

it('refuses a back end of another version of the port', () => {
  expect(() => walletOf({ portVersion: 2 as never })).toThrow(/made for version 2 of the port, and this Sluice has version 1/);
});
