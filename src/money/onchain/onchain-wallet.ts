import { CallGuard, type LightningSettings } from '../lightning/index.js';
import type { Clock } from '../../platform/kernel/clock.js';
import type { Metrics } from '../../platform/metrics/index.js';
import { ONCHAIN_PORT_VERSION, type OnChainBackend, type OnChainCapability } from './onchain-backend.js';
import type * as port from './onchain-messages.js';

const CALLS = [
  'tip',
  'newAddress',
  'transactions',
  'feeRate',
  'fund',
  'finalize',
  'publish',
  'renewLease',
  'releaseLease',
  'lookup',
  'balance',
] as const;
type CallName = (typeof CALLS)[number];
const PORT = { component: 'OnChainWallet', name: 'onchain', event: 'onchain_call_fault', calls: CALLS } as const;
const UNKNOWN = { status: 'unknown' } as const;

/**
 * The on-chain wallet as the core calls it: every call has a deadline, and an exception counts as unknown (see `CallGuard`). Without a back end
 * every answer is unknown: ask `isPresent` first.
 */
export class OnChainWallet implements OnChainBackend {
  readonly portVersion = ONCHAIN_PORT_VERSION;
  private readonly guard: CallGuard<CallName>;

  /** @throws Error with a sentence for the operator if the back end was made for another version of the port */
  constructor(
    private readonly backend: OnChainBackend | null,
    settings: LightningSettings,
    clock: Clock,
    metrics: Metrics,
  ) {
    if (backend && (backend.portVersion as unknown) !== ONCHAIN_PORT_VERSION)
      throw new Error(
        `The on-chain back end ${backend.constructor.name} was made for version ${String(backend.portVersion)} of the port, and this Sluice has version ${ONCHAIN_PORT_VERSION}: use a release of the back end that states portVersion = ${ONCHAIN_PORT_VERSION}`,
      );
    this.guard = new CallGuard(PORT, settings, clock, metrics);
  }

  /** False where the organisation has no on-chain wallet, or has turned it off. */
  get isPresent(): boolean {
    return this.backend !== null;
  }

  get capabilities(): ReadonlySet<OnChainCapability> {
    return this.backend?.capabilities ?? new Set();
  }

  tip(): Promise<port.ChainTip> {
    return this.ask('tip', UNKNOWN, []);
  }

  newAddress(): Promise<port.NewAddress> {
    return this.ask('newAddress', UNKNOWN, []);
  }

  transactions(fromHeight: number, cursor: number): Promise<port.TransactionPage> {
    return this.ask('transactions', UNKNOWN, [fromHeight, cursor]);
  }

  feeRate(targetBlocks: number): Promise<port.FeeRate> {
    return this.ask('feeRate', UNKNOWN, [targetBlocks]);
  }

  fund(request: port.FundRequest): Promise<port.Funded> {
    return this.ask('fund', UNKNOWN, [request]);
  }

  finalize(psbt: string): Promise<port.Finalized> {
    return this.ask('finalize', UNKNOWN, [psbt]);
  }

  publish(rawTransaction: string, label: string): Promise<port.Published> {
    return this.ask('publish', UNKNOWN, [rawTransaction, label]);
  }

  renewLease(lease: port.Lease, inputs: readonly port.Outpoint[]): Promise<boolean | 'unknown'> {
    return this.ask('renewLease', 'unknown', [lease, inputs]);
  }

  releaseLease(id: string): Promise<'released' | 'unknown'> {
    return this.ask('releaseLease', 'unknown', [id]);
  }

  lookup(txid: string, inputs: readonly port.Outpoint[] = []): Promise<port.TransactionStatus> {
    return this.ask('lookup', UNKNOWN, [txid, inputs]);
  }

  balance(): Promise<port.WalletBalance> {
    return this.ask('balance', UNKNOWN, []);
  }

  private ask<Call extends CallName, Answer = Awaited<ReturnType<OnChainBackend[Call]>>>(
    call: Call,
    unknown: Answer,
    args: Parameters<OnChainBackend[Call]>,
  ): Promise<Answer> {
    const { backend } = this;
    if (!backend) return Promise.resolve(unknown);
    const work = backend[call] as (...given: readonly unknown[]) => Promise<Answer>;
    return this.guard.ask(call, () => work.apply(backend, args), { unknown });
  }
}
