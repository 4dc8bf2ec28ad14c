import { resolve } from 'node:path';
import { Addresses } from './addresses.js';
import { ConfigError } from './config-error.js';
import { Environment } from './environment.js';
import { problemsOfMode } from './mode-rules.js';
import { readVariables, type ProcessVariables } from './setting.js';

/** Adapters to Lightning nodes that Sluice brings: values of `LIGHTNING_BACKEND`. */
export const BACKENDS = ['simulator', 'lnd'] as const;

export type Network = 'mainnet' | 'testnet' | 'signet' | 'regtest';

/**
 * Sluice's configuration: what several folders need, one frozen object, made from the environment at start; only the port may be known
 * later (`boundTo`). Its class is its injection token. Settings of one folder are a class there.
 */
export class Config extends Addresses {
  readonly mode: 'demo' | 'production';
  readonly host: string;
  readonly dataDir: string;
  readonly database: {
    readonly url: string | undefined;
    readonly directUrl: string | undefined;
    readonly poolSize: number;
    readonly startMs: number;
    /** The client-side timeout. The outcome of a statement that reaches it is unknown. */
    readonly maxStatementMs: number;
    /**
     * PostgreSQL's timeout for one statement, below the client's. It excludes the commit, which may still wait `lockTimeoutMs` for its
     * lock on the order of events, and then for the disk.
     */
    readonly statementTimeoutMs: number;
    readonly lockTimeoutMs: number;
    readonly allowNewerSchema: boolean;
  };
  /** 32 characters or more; in demo mode generated once and kept in the data folder. */
  readonly secretKey: string;
  /** Bearer token for `/metrics`; without it `/metrics` is closed in production. */
  readonly metricsToken: string | undefined;
  readonly secretKeyPrevious: string | undefined;
  readonly network: Network;
  readonly lightningBackend: string;
  /** The money is simulated: the start-up log and every page say so. */
  readonly simulatedMoney: boolean;
  readonly tokenPrefix: string;
  readonly trustProxyHops: number;
  readonly logLevel: string;
  readonly commit: string | null;
  /** How long `/health/ready` answers 503 before Sluice stops accepting connections. */
  readonly drainMs: number;

  constructor(env: Environment, secretKey: string) {
    super(env);
    this.mode = env.SLUICE_MODE;
    // A demo serves the user at this machine; a production server must be reachable.
    this.host = env.HOST ?? (env.SLUICE_MODE === 'demo' ? 'localhost' : '0.0.0.0');
    this.dataDir = resolve(env.SLUICE_DATA_DIR);
    this.database = databaseOf(env);
    this.secretKey = secretKey;
    this.secretKeyPrevious = env.SECRET_KEY_PREVIOUS;
    this.metricsToken = env.METRICS_TOKEN;
    this.network = env.NETWORK ?? 'regtest';
    this.lightningBackend = env.LIGHTNING_BACKEND ?? 'simulator';
    this.simulatedMoney = this.lightningBackend === 'simulator';
    this.tokenPrefix = env.TOKEN_PREFIX;
    this.trustProxyHops = env.TRUST_PROXY;
    this.logLevel = env.LOG_LEVEL;
    this.commit = env.SLUICE_COMMIT ?? null;
    this.drainMs = env.DRAIN_SECONDS * 1000;
    Object.freeze(this.database);
    Object.freeze(this);
  }
}

function databaseOf(env: Environment): Config['database'] {
  // Four fifths of the client's timeout: the server's error must arrive before the client gives up.
  const statementTimeoutMs = env.DATABASE_STATEMENT_SECONDS * 800;
  return {
    url: env.DATABASE_URL,
    directUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
    poolSize: env.DATABASE_POOL_SIZE,
    startMs: env.DATABASE_START_SECONDS * 1000,
    maxStatementMs: env.DATABASE_STATEMENT_SECONDS * 1000,
    statementTimeoutMs,
    lockTimeoutMs: Math.min(env.DATABASE_LOCK_MS, statementTimeoutMs),
    allowNewerSchema: env.SLUICE_ALLOW_NEWER_SCHEMA,
  };
}

/**
 * Converts the environment to a configuration.
 * @param secretOf returns the demo's own secret for a data folder; production must set one
 * @param backends names of the Lightning back ends in this build
 * @param further problems that the caller has found, to be reported with the others
 * @throws ConfigError with every problem at once
 */
export function loadConfig(
  env: ProcessVariables,
  secretOf: (dataDir: string) => string,
  backends: ReadonlySet<string> = new Set(BACKENDS),
  further: readonly string[] = [],
): Config {
  const { values: environment, problems } = readVariables(Environment, env);
  if (problems.length === 0 || env['SLUICE_MODE'] === 'production') problems.push(...problemsOfMode(environment, backends));
  problems.push(...further);
  if (problems.length > 0) throw new ConfigError([...new Set(problems)]);
  return new Config(environment, environment.SECRET_KEY ?? secretOf(resolve(environment.SLUICE_DATA_DIR)));
}
