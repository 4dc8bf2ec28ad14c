import { Config, LEVELS, VARIABLES } from '../config/index.js';
import { RateLimitPolicies } from '../rate-limit/index.js';
import { JSON_OPTION, printResult, type Command } from './command.js';

/** A limit as the operator sees it. */
interface ShownLimit {
  readonly name: string;
  readonly limit: number;
  /** Null: not a limit in time, see `unit`. */
  readonly windowSeconds: number | null;
  readonly unit: string | null;
  readonly variable: string;
  readonly counts: string;
  /** Who counts: each process for itself, or all together in the database. */
  readonly store: 'memory' | 'postgres' | null;
}

type LimitVariable = keyof typeof VARIABLES.Limits | keyof (typeof VARIABLES)['Rate limits'];
type OtherLimit = readonly [name: string, variable: LimitVariable, limit: number, unit: string];

/** Limits that are no rates: how many run at once. */
const otherLimits = ({ socket, work }: Config): readonly OtherLimit[] => [
  ['workPerAddress', 'WORK_PER_ADDRESS', work.perAddress, 'at once'],
  ['workPerPrincipal', 'WORK_PER_PRINCIPAL', work.perPrincipal, 'at once'],
  ['workPerProcess', 'WORK_PER_PROCESS', work.perProcess, 'at once'],
  ['socketsPerPrincipal', 'SOCKETS_PER_PRINCIPAL', socket.perPrincipal, 'at once'],
  ['socketsPerAddress', 'SOCKETS_PER_ADDRESS', socket.perAddress, 'at once'],
  ['subscriptionsPerSocket', 'SUBSCRIPTIONS_PER_SOCKET', socket.subscriptions, 'at once'],
  ['subscriptionsPerPrincipal', 'SUBSCRIPTIONS_PER_PRINCIPAL', socket.subscriptionsPerPrincipal, 'at once'],
];

const MEANINGS = { ...VARIABLES.Limits, ...VARIABLES['Rate limits'] };

function limitsOf(config: Config, policies: RateLimitPolicies): ShownLimit[] {
  const rates = [...policies].map(({ name, limit, windowMs, variable, counts, store }): ShownLimit => {
    const counting = store === 'shared' ? config.rateLimit.store : 'memory';
    return { name, limit, windowSeconds: windowMs / 1000, unit: null, variable, counts, store: counting };
  });
  const others = otherLimits(config).map(([name, variable, limit, unit]): ShownLimit => {
    return { name, limit, windowSeconds: null, unit, variable, counts: MEANINGS[variable], store: null };
  });
  return [...rates, ...others];
}

const dollars = (cents: number): string => `$${(cents / 100).toLocaleString('en', { minimumFractionDigits: 2 })}`;

/** What accounts may send in 24 hours, by their level. */
function accountLines({ accountLimits: { byLevel } }: Config): string[] {
  if (byLevel === null) return ['', 'Accounts have no limits (ACCOUNT_LIMITS=none).'];
  const lines = LEVELS.map((level) => {
    const { withdrawal, internalSend, convert } = byLevel[level];
    return `level ${level.padEnd(6)} to other wallets ${dollars(withdrawal)}, to other accounts ${dollars(internalSend)}, between its own wallets ${dollars(convert)}`;
  });
  return ['', 'What an account may send in 24 hours (ACCOUNT_LIMITS); "account level" sets the level of an account:', ...lines];
}

export const limitsCommands: readonly Command[] = [
  {
    name: 'limits',
    summary:
      'Lists the limits for callers: what each counts, its present value, and the variable that sets it; without --json also the limits of accounts',
    options: JSON_OPTION,
    async run(app, args, print) {
      const config = app.get(Config);
      const limits = limitsOf(config, app.get(RateLimitPolicies));
      const lines = limits.map(({ name, limit, windowSeconds, unit, variable, counts, store }) => {
        const value = windowSeconds === null ? `${limit} ${unit}` : `${limit} in ${windowSeconds} s`;
        return `${name.padEnd(22)} ${value.padEnd(14)} ${(store ?? '').padEnd(8)} ${variable.padEnd(32)} ${counts}`;
      });
      printResult(args, print, limits, [...lines, ...accountLines(config)]);
    },
  },
];
