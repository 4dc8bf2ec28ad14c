import { CallGuard, type LightningSettings } from '../lightning/index.js';
import type { Clock } from '../../platform/kernel/clock.js';
import type { Metrics } from '../../platform/metrics/index.js';
import { ONCHAIN_PORT_VERSION, type OnChainBackend, type OnChainCapability } from './onchain-backend.js';

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
type Answer<Call extends CallName> = Awaited<ReturnType<OnChainBackend[Call]>>;
const PORT = { component: 'OnChainWallet', name: 'onchain', event: 'onchain_call_fault', calls: CALLS } as const;
const UNKNOWN = { status: 'unknown' } as const;

/**
 * The on-chain wallet as the core calls it: every call has a deadline, and an exception counts as unknown (see `CallGuard`). Without a back end
 * every answer is unknown: ask `isPresent` first.
 */
export class OnChainWallet implements OnChainBackend {
  readonly portVersion = ONCHAIN_PORT_VERSION;
  readonly tip = this.asking('tip', UNKNOWN);
  readonly newAddress = this.asking('newAddress', UNKNOWN);
  readonly transactions = this.asking('transactions', UNKNOWN);
  readonly feeRate = this.asking('feeRate', UNKNOWN);
  readonly fund = this.asking('fund', UNKNOWN);
  readonly finalize = this.asking('finalize', UNKNOWN);
  readonly publish = this.asking('publish', UNKNOWN);
  readonly renewLease = this.asking('renewLease', 'unknown');
  readonly releaseLease = this.asking('releaseLease', 'unknown');
  readonly lookup = this.asking('lookup', UNKNOWN);
  readonly balance = this.asking('balance', UNKNOWN);
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

  /** A method of the port. */
  private asking<Call extends CallName>(call: Call, unknown: Answer<Call>): OnChainBackend[Call] {
    const ask = (...args: unknown[]): Promise<Answer<Call>> => {
      const { backend } = this;
      if (!backend) return Promise.resolve(unknown);
      const work = backend[call] as (...given: unknown[]) => Promise<Answer<Call>>;
      return this.guard.ask(call, () => work.apply(backend, args), { unknown });
    };
    return ask as OnChainBackend[Call];
  }
}
