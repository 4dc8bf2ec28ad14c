import { resolve } from 'node:path';
import { ConfigError, readVariables, withRules, type ProcessVariables } from './setting.js';
import { Environment } from './environment.js';
import { isLoopback } from '../kernel/loopback.js';

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** Sluice's public addresses: none ends in a slash, and none is ever taken from a request. */
export class Addresses {
  readonly #env: Environment;
  #port: number;

  constructor(env: Environment) {
    this.#env = env;
    this.#port = env.PORT;
  }

  get port(): number {
    return this.#port;
  }

  get publicUrl(): string {
    return withoutSlash(this.#env.PUBLIC_URL ?? `http://localhost:${this.#port}`);
  }

  get issuerUrl(): string {
    return withoutSlash(this.#env.ISSUER_URL ?? this.publicUrl);
  }

  get apiUrl(): string {
    return withoutSlash(this.#env.API_URL ?? this.publicUrl);
  }

  get websocketUrl(): string {
    return withoutSlash(this.#env.WEBSOCKET_URL ?? this.publicUrl.replace(/^http/, 'ws'));
  }

  /** With `PORT=0` the system chooses the port: once Sluice listens, the addresses that were not configured get that port. @internal */
  boundTo(port: number): void {
    if (this.#port === 0) this.#port = port;
  }
}

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
    /** How long a start waits for a server that starts up. */
    readonly startMs: number;
    /** The client-side timeout. The outcome of a statement that reaches it is unknown. */
    readonly maxStatementMs: number;
    /**
     * PostgreSQL's timeout for one statement, below the client's. It excludes the commit, which may still wait `lockTimeoutMs` for its
     * lock on the order of events, and then for the disk.
     */
    readonly statementTimeoutMs: number;
    /** PostgreSQL's timeout for one wait for a lock. */
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
  /** Production on a test network without TLS: the start-up log and every page say so. */
  readonly plainHttp: boolean;
  readonly tokenPrefix: string;
  readonly trustProxyHops: number;
  readonly logLevel: string;
  /** The commit this was built from, if the operator sets it. */
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
    this.plainHttp = this.mode === 'production' && plainHttpAddresses(env).length > 0;
    this.tokenPrefix = env.TOKEN_PREFIX;
    this.trustProxyHops = env.TRUST_PROXY;
    this.logLevel = env.LOG_LEVEL;
    this.commit = env.SLUICE_COMMIT ?? null;
    this.drainMs = env.DRAIN_SECONDS * 1000;
    Object.freeze(this.database);
    Object.freeze(this);
  }
}

/** The variables whose address sends passwords and tokens over a network without TLS. */
const plainHttpAddresses = (env: Environment): string[] =>
  (['PUBLIC_URL', 'ISSUER_URL'] as const).filter((name) => {
    const url = URL.canParse(env[name] ?? '') ? new URL(env[name] as string) : undefined;
    return url?.protocol === 'http:' && !isLoopback(url.hostname);
  });

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
  const { values: environment, ...found } = readVariables(Environment, env);
  const isMode = !found.wrong.includes('SLUICE_MODE');
  const problems = [...withRules(found, () => (isMode ? problemsOfMode(environment, backends) : [])), ...further];
  if (problems.length > 0) throw new ConfigError([...new Set(problems)]);
  return new Config(environment, environment.SECRET_KEY ?? secretOf(resolve(environment.SLUICE_DATA_DIR)));
}

export function problemsOfMode(env: Environment, backends: ReadonlySet<string>): string[] {
  const problems: string[] = [];
  if (env.SLUICE_MODE === 'production' && env.LIGHTNING_BACKEND && !backends.has(env.LIGHTNING_BACKEND))
    problems.push(`LIGHTNING_BACKEND must be one of: ${[...backends].join(', ')}`);
  if (env.SLUICE_MODE === 'demo') {
    if (env.LIGHTNING_BACKEND && env.LIGHTNING_BACKEND !== 'simulator') problems.push('LIGHTNING_BACKEND must be simulator in demo mode');
    if (URL.canParse(env.PUBLIC_URL ?? '') && !isLoopback(new URL(env.PUBLIC_URL as string).hostname))
      problems.push('PUBLIC_URL must be a loopback address in demo mode');
    if (env.DATABASE_URL && !env.SLUICE_DEMO_ON_EXTERNAL_DB)
      problems.push('DATABASE_URL is refused in demo mode unless SLUICE_DEMO_ON_EXTERNAL_DB=1');
    return problems;
  }
  for (const name of ['PUBLIC_URL', 'LIGHTNING_BACKEND', 'SECRET_KEY', 'NETWORK'] as const)
    if (!env[name]) problems.push(`${name} must be set in production`);
  if (!env.DATABASE_URL && !env.SLUICE_EMBEDDED_POSTGRES)
    problems.push('DATABASE_URL must be set in production (or SLUICE_EMBEDDED_POSTGRES=1)');
  if (env.LIGHTNING_BACKEND === 'simulator' && !env.SLUICE_ALLOW_SIMULATED_MONEY)
    problems.push('LIGHTNING_BACKEND=simulator is refused in production unless SLUICE_ALLOW_SIMULATED_MONEY=1');
  if (!env.SLUICE_ALLOW_HTTP)
    for (const name of plainHttpAddresses(env))
      problems.push(`${name} must be https in production, because its host is not this machine (SLUICE_ALLOW_HTTP=1 for a test network)`);
  return problems;
}

/** The server has checked the name of its back end already; which names exist depends on the entry of the server. @throws ConfigError */
export function configOfCommand(env: ProcessVariables, secretOf: (dataDir: string) => string): Config {
  const { LIGHTNING_BACKEND } = env;
  return loadConfig(env, secretOf, new Set([...BACKENDS, ...(LIGHTNING_BACKEND ? [LIGHTNING_BACKEND] : [])]));
}

/** Commands that work on the database as a whole use no secret: a demo that is to be restored has none yet. @throws ConfigError */
export const storageConfig = (env: ProcessVariables): Config => configOfCommand(env, () => '');
