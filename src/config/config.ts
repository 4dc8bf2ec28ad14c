import { resolve } from 'node:path';
import { accountLimitsOf, type AccountLimitsConfig } from './account-limits.js';
import { Addresses } from './addresses.js';
import { egressOf, type EgressConfig } from './egress-config.js';
import { ConfigError, readEnvironment, type Environment, type RegistrationMode } from './environment.js';
import { graphqlOf, type GraphqlConfig } from './graphql-config.js';
import { lndOf, type LndConfig } from './lnd-config.js';
import { problemsOfMode } from './mode-rules.js';
import { priceOf, type PriceConfig } from './price-config.js';
import { throttleOf, type ThrottleConfig } from './throttle-config.js';
import { workOf, type WorkConfig } from './work-config.js';

/** Adapters to Lightning nodes that Sluice brings: values of `LIGHTNING_BACKEND`. */
export const BACKENDS = ['simulator', 'lnd'] as const;

const PPM_PER_BPS = 100;

export type Network = 'mainnet' | 'testnet' | 'signet' | 'regtest';

/**
 * Sluice's configuration: one frozen object, made from the environment at start; only the port may be known later (`boundTo`). Its class is
 * its injection token.
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
  readonly lightning: { readonly callMs: number; readonly callsInProgress: number; readonly paymentsInProgress: number };
  /** Undefined with another back end. */
  readonly lnd: LndConfig | undefined;
  readonly tokenPrefix: string;
  readonly trustProxyHops: number;
  readonly logLevel: string;
  /** The commit this was built from, if the operator sets it. */
  readonly commit: string | null;
  readonly price: PriceConfig;
  /** The operator as the counterparty of exchanges between bitcoin and dollars. */
  readonly dealer: { readonly spreadPpm: number; readonly limitCents: number };
  readonly accountLimits: AccountLimitsConfig;
  readonly payment: {
    readonly waitMs: number;
    readonly feeLimitPpm: number;
    readonly feeLimitMinSats: number;
    readonly reconcileIntervalMs: number;
    readonly reconcileAfterSeconds: number;
    readonly leaseSeconds: number;
    readonly notFoundSeconds: number;
    readonly recheckDays: number;
  };
  readonly invoice: { readonly lookUpsPerSecond: number; readonly forgetAfterSeconds: number };
  readonly events: { readonly keptHours: number };
  readonly idempotency: { readonly keptSeconds: number };
  readonly ledger: { readonly auditIntervalSeconds: number };
  /** How long `/health/ready` answers 503 before Sluice stops accepting connections. */
  readonly drainMs: number;
  readonly registration: RegistrationMode;
  readonly egress: EgressConfig;
  readonly session: {
    readonly idleSeconds: number;
    /** Lifetime of the device cookie after a sign-in. */
    readonly deviceSeconds: number;
  };
  readonly oauth: {
    readonly accessTokenSeconds: number;
    readonly codeSeconds: number;
    readonly interactionSeconds: number;
    readonly refreshIdleSeconds: number;
    readonly refreshAbsoluteSeconds: number;
    readonly refreshReplaySeconds: number;
    readonly consentWriteMemorySeconds: number;
  };
  readonly throttle: ThrottleConfig;
  readonly rateLimit: { readonly store: 'memory' | 'postgres' };
  readonly work: WorkConfig;
  readonly socket: {
    readonly perPrincipal: number;
    readonly perAddress: number;
    readonly subscriptions: number;
    readonly subscriptionsPerPrincipal: number;
    readonly messageBytes: number;
  };
  /** Does the page at the API's address have an editor? */
  readonly graphiql: boolean;
  readonly graphql: GraphqlConfig;

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
    this.lightning = lightningOf(env);
    this.lnd = lndOf(env);
    this.tokenPrefix = env.TOKEN_PREFIX;
    this.trustProxyHops = env.TRUST_PROXY;
    this.logLevel = env.LOG_LEVEL;
    this.commit = env.SLUICE_COMMIT ?? null;
    this.price = priceOf(env);
    this.dealer = { spreadPpm: env.DEALER_SPREAD_BPS * PPM_PER_BPS, limitCents: env.DEALER_LIMIT_CENTS };
    this.accountLimits = accountLimitsOf(env.ACCOUNT_LIMITS, env.ACCOUNT_LIMITS_CENTS_PER_BTC);
    this.payment = paymentOf(env);
    this.invoice = { lookUpsPerSecond: env.INVOICE_LOOK_UPS_PER_SECOND, forgetAfterSeconds: env.INVOICE_FORGET_AFTER_SECONDS };
    this.events = { keptHours: env.EVENT_KEEP_HOURS };
    this.idempotency = { keptSeconds: env.IDEMPOTENCY_SECONDS };
    this.drainMs = env.DRAIN_SECONDS * 1000;
    this.ledger = { auditIntervalSeconds: env.AUDIT_INTERVAL_SECONDS };
    // Production closes it: an open server gives an account to every caller.
    this.registration = env.REGISTRATION ?? (env.SLUICE_MODE === 'demo' ? 'open' : 'closed');
    this.egress = egressOf(env);
    this.session = {
      idleSeconds: env.SESSION_IDLE_SECONDS,
      deviceSeconds: env.DEVICE_COOKIE_SECONDS,
    };
    this.oauth = oauthOf(env);
    this.throttle = throttleOf(env);
    this.rateLimit = { store: env.RATE_LIMIT_STORE };
    this.work = workOf(env);
    this.socket = socketOf(env);
    this.graphiql = env.GRAPHIQL;
    this.graphql = graphqlOf(env);
    for (const group of Object.values(this) as unknown[]) if (typeof group === 'object') Object.freeze(group);
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

function oauthOf(env: Environment): Config['oauth'] {
  return {
    accessTokenSeconds: env.ACCESS_TOKEN_SECONDS,
    codeSeconds: env.AUTHORIZATION_CODE_SECONDS,
    interactionSeconds: env.INTERACTION_SECONDS,
    refreshIdleSeconds: env.REFRESH_TOKEN_IDLE_SECONDS,
    refreshAbsoluteSeconds: env.REFRESH_TOKEN_ABSOLUTE_SECONDS,
    refreshReplaySeconds: env.REFRESH_REPLAY_SECONDS,
    consentWriteMemorySeconds: env.CONSENT_WRITE_MEMORY_SECONDS,
  };
}

const lightningOf = (env: Environment): Config['lightning'] => ({
  callMs: env.LIGHTNING_CALL_SECONDS * 1000,
  callsInProgress: env.LIGHTNING_CALLS_IN_PROGRESS,
  paymentsInProgress: env.LIGHTNING_PAYMENTS_IN_PROGRESS,
});

const paymentOf = (env: Environment): Config['payment'] => ({
  waitMs: env.PAYMENT_WAIT_SECONDS * 1000,
  feeLimitPpm: env.FEE_LIMIT_PPM,
  feeLimitMinSats: env.FEE_LIMIT_MIN_SATS,
  reconcileIntervalMs: env.RECONCILE_INTERVAL_SECONDS * 1000,
  reconcileAfterSeconds: env.RECONCILE_AFTER_SECONDS,
  leaseSeconds: env.PAYMENT_LEASE_SECONDS,
  // One minute in demo mode: its money has no value, and its user should not wait a day to get it back.
  notFoundSeconds: (env.PAYMENT_NOT_FOUND_HOURS ?? (env.SLUICE_MODE === 'demo' ? 1 / 60 : 24)) * 3_600,
  recheckDays: env.PAYMENT_RECHECK_DAYS,
});

function socketOf(env: Environment): Config['socket'] {
  return {
    perPrincipal: env.SOCKETS_PER_PRINCIPAL,
    perAddress: env.SOCKETS_PER_ADDRESS,
    subscriptions: env.SUBSCRIPTIONS_PER_SOCKET,
    subscriptionsPerPrincipal: env.SUBSCRIPTIONS_PER_PRINCIPAL,
    messageBytes: env.SOCKET_MESSAGE_BYTES,
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
  env: Readonly<Record<string, string | undefined>>,
  secretOf: (dataDir: string) => string,
  backends: ReadonlySet<string> = new Set(BACKENDS),
  further: readonly string[] = [],
): Config {
  const { environment, problems } = readEnvironment(env);
  if (problems.length === 0 || env['SLUICE_MODE'] === 'production') problems.push(...problemsOfMode(environment, backends));
  problems.push(...further);
  if (problems.length > 0) throw new ConfigError([...new Set(problems)]);
  return new Config(environment, environment.SECRET_KEY ?? secretOf(resolve(environment.SLUICE_DATA_DIR)));
}
