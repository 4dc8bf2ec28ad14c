import { meaningOf, type SettingsClass } from '../../platform/config/index.js';
import { WorkSettings } from '../../edge/http/index.js';
import { RateLimitPolicies, RateLimitSettings } from '../../edge/rate-limit/index.js';
import { SocketSettings } from '../../edge/socket/index.js';
import { AccountLimitSettings, LEVELS } from '../../money/wallet/index.js';
import { commandsOf, type OperatorCall } from '../command/index.js';

interface ShownLimit {
  readonly name: string;
  readonly limit: number;
  /** Null: not a limit in time, see `unit`. */
  readonly windowSeconds: number | null;
  readonly unit: string | null;
  /** Null: a constant. */
  readonly variable: string | null;
  readonly counts: string;
  /** Where it is counted: each process for itself, or all together in the database. */
  readonly store: 'memory' | 'postgres' | null;
}

const OTHERS: readonly (readonly [name: string, type: SettingsClass, variable: string, unit: string])[] = [
  ['workPerAddress', WorkSettings, 'WORK_PER_ADDRESS', 'at once'],
  ['workPerPrincipal', WorkSettings, 'WORK_PER_PRINCIPAL', 'at once'],
  ['workPerProcess', WorkSettings, 'WORK_PER_PROCESS', 'at once'],
  ['socketsPerPrincipal', SocketSettings, 'SOCKETS_PER_PRINCIPAL', 'at once'],
  ['socketsPerAddress', SocketSettings, 'SOCKETS_PER_ADDRESS', 'at once'],
  ['subscriptionsPerSocket', SocketSettings, 'SUBSCRIPTIONS_PER_SOCKET', 'at once'],
];

function limitsOf(call: OperatorCall): ShownLimit[] {
  const { RATE_LIMIT_STORE } = call.get(RateLimitSettings);
  const rates = [...call.get(RateLimitPolicies)].map(({ name, limit, windowMs, variable, counts, store }): ShownLimit => {
    const counting = store === 'shared' ? RATE_LIMIT_STORE : 'memory';
    return { name, limit, windowSeconds: windowMs / 1000, unit: null, variable, counts, store: counting };
  });
  const others = OTHERS.map(([name, type, variable, unit]): ShownLimit => {
    const limit = call.get<Readonly<Record<string, number>>>(type)[variable] as number;
    return { name, limit, windowSeconds: null, unit, variable, counts: meaningOf(type, variable), store: null };
  });
  return [...rates, ...others];
}

const dollars = (cents: number): string => `$${(cents / 100).toLocaleString('en', { minimumFractionDigits: 2 })}`;

function accountLines({ byLevel }: AccountLimitSettings): string[] {
  if (byLevel === null) return ['', 'Accounts have no limits (ACCOUNT_LIMITS=none).'];
  const lines = LEVELS.map((level) => {
    const { withdrawal, internalSend, convert } = byLevel[level];
    return `level ${level.padEnd(6)} to other wallets ${dollars(withdrawal)}, to other accounts ${dollars(internalSend)}, between its own wallets ${dollars(convert)}`;
  });
  return ['', 'What an account may send in 24 hours (ACCOUNT_LIMITS); "account level" sets the level of an account:', ...lines];
}

export const limitsCommands = commandsOf({
  name: 'limits',
  summary:
    'Lists the limits for callers: what each counts, its present value, and the variable that sets it; without --json also the limits of accounts',
  async run(call) {
    const limits = limitsOf(call);
    const lines = limits.map(({ name, limit, windowSeconds, unit, variable, counts, store }) => {
      const value = windowSeconds === null ? `${limit} ${unit}` : `${limit} in ${windowSeconds} s`;
      return `${name.padEnd(22)} ${value.padEnd(14)} ${(store ?? '').padEnd(8)} ${(variable ?? '-').padEnd(32)} ${counts}`;
    });
    return { found: limits, lines: [...lines, ...accountLines(call.get(AccountLimitSettings))] };
  },
});
