import { plainToInstance, Transform } from 'class-transformer';
import {
  getMetadataStorage,
  IsIn,
  IsInt,
  IsOptional,
  IsUrl,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  validateSync,
} from 'class-validator';
import ipaddr from 'ipaddr.js';
import { ACCOUNT_LIMITS_FORM, ACCOUNT_LIMITS_RULE, DEFAULT_ACCOUNT_LIMITS } from './account-limits.js';
import { RATE_FORM, RATE_RULE } from './rate.js';

const DAY = 86_400;
const whole = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value));
const flag = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    value === '1' || value === 'true' ? true : value === '0' || value === 'false' ? false : value,
  );
const rate = (): PropertyDecorator => Matches(RATE_FORM, { message: `$property ${RATE_RULE}` });
const url = (...protocols: string[]): PropertyDecorator =>
  IsUrl(
    { protocols, require_tld: false, require_protocol: true },
    { message: `$property must be a URL that starts with ${protocols.map((p) => `${p}://`).join(' or ')}` },
  );
const oneOf = (...values: string[]): PropertyDecorator => IsIn(values, { message: `$property must be one of: ${values.join(', ')}` });
const secret = (least: number): PropertyDecorator => MinLength(least, { message: `$property must have at least ${least} characters` });
/** One message for all three rules: which rule failed first does not matter to the operator, who may not have typed a number at all. */
const int =
  (min: number, max: number): PropertyDecorator =>
  (target, key) => {
    const rule = { message: `$property must be a whole number from ${min} to ${max}` };
    [Max(max, rule), Min(min, rule), IsInt(rule), whole()].forEach((decorate) => decorate(target, key));
  };
const hours = (): PropertyDecorator => (target, key) => {
  const rule = { message: '$property must be a number of hours from 0.0001 to 8760' };
  const number = Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,5}(\.\d{1,9})?$/.test(value) ? Number(value) : value,
  );
  [Max(8_760, rule), Min(0.0001, rule), number].forEach((decorate) => decorate(target, key));
};
const yesNo = (): PropertyDecorator => (target, key) =>
  [IsIn([true, false], { message: '$property must be 1 or 0' }), flag()].forEach((decorate) => decorate(target, key));

const networks = (): PropertyDecorator =>
  ValidateBy({
    name: 'networks',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && value.split(',').every((network) => ipaddr.isValidCIDR(network)),
      defaultMessage: () => '$property must be networks such as 10.0.0.0/8,fd00::/8, with commas between them',
    },
  });

/** Who may register: every person, those with an invitation, or none, so that operators make the users. */
export type RegistrationMode = 'open' | 'invite' | 'closed';

/** Every variable that Sluice reads, with its rule and its default. `variables.ts` explains each. */
export class Environment {
  @oneOf('demo', 'production') SLUICE_MODE: 'demo' | 'production' = 'demo';
  @int(0, 65_535) PORT = 4000;
  @IsOptional() @MaxLength(255, { message: '$property must have at most 255 characters' }) HOST?: string;
  @IsOptional() @url('http', 'https') PUBLIC_URL?: string;
  @IsOptional() @url('http', 'https') ISSUER_URL?: string;
  @IsOptional() @url('http', 'https') API_URL?: string;
  @IsOptional() @url('ws', 'wss') WEBSOCKET_URL?: string;
  @MinLength(1) SLUICE_DATA_DIR = '.data';
  @IsOptional() @Matches(/^postgres(ql)?:\/\//, { message: '$property must be a URL that starts with postgres://' }) DATABASE_URL?: string;
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: '$property must be a URL that starts with postgres://' })
  DATABASE_DIRECT_URL?: string;
  @int(2, 500) DATABASE_POOL_SIZE = 16;
  @int(0, 3_600) DATABASE_START_SECONDS = 30;
  @int(1, 3_600) DATABASE_STATEMENT_SECONDS = 15;
  @int(100, 60_000) DATABASE_LOCK_MS = 2_500;
  @yesNo() SLUICE_ALLOW_NEWER_SCHEMA = false;
  @yesNo() SLUICE_DEMO_ON_EXTERNAL_DB = false;
  @yesNo() SLUICE_EMBEDDED_POSTGRES = false;
  @IsOptional() @secret(32) SECRET_KEY?: string;
  @IsOptional() @secret(32) SECRET_KEY_PREVIOUS?: string;
  @IsOptional() @secret(16) METRICS_TOKEN?: string;
  @IsOptional() @oneOf('mainnet', 'testnet', 'signet', 'regtest') NETWORK?: 'mainnet' | 'testnet' | 'signet' | 'regtest';
  @IsOptional()
  @Matches(/^[a-z][a-z0-9-]{0,31}$/, { message: '$property must be a name of lower-case letters, digits and hyphens' })
  LIGHTNING_BACKEND?: string;
  @IsOptional() @Matches(/^(\[[0-9a-f:]+\]|[^:/\s]+):\d{1,5}$/i, { message: '$property must be host:port' }) LND_ADDRESS?: string;
  @IsOptional() @MinLength(1) LND_TLS_CERT?: string;
  @IsOptional() @MinLength(1) LND_MACAROON?: string;
  @yesNo() LND_ROUTE_HINTS = false;
  @yesNo() SLUICE_ALLOW_SIMULATED_MONEY = false;
  @int(1, 300) LIGHTNING_CALL_SECONDS = 15;
  @int(1, 100_000) LIGHTNING_CALLS_IN_PROGRESS = 1_000;
  @int(1, 100_000) LIGHTNING_PAYMENTS_IN_PROGRESS = 5_000;
  @Matches(/^[a-z][a-z0-9]{1,15}$/, { message: '$property must be 2 to 16 lower-case letters and digits' }) TOKEN_PREFIX = 'sluice';
  @int(0, 10) TRUST_PROXY = 0;
  @oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent') LOG_LEVEL = 'info';
  @IsOptional() @oneOf('fixed', 'http', 'none') PRICE_SOURCE?: 'fixed' | 'http' | 'none';
  @IsOptional() @MaxLength(8_192, { message: '$property must have at most 8192 characters' }) PRICE_SOURCES?: string;
  @IsOptional() @int(1, 10) PRICE_SOURCES_MIN?: number;
  @int(10, 3_600) PRICE_MAX_AGE_SECONDS = 120;
  @int(1, 50) PRICE_MAX_DEVIATION_PERCENT = 3;
  @int(1, 100_000_000) FIXED_PRICE_CENTS_PER_BTC = 6_125_000;
  @int(0, 5_000) DEALER_SPREAD_BPS = 20;
  @int(0, 1_000_000_000_000) DEALER_LIMIT_CENTS = 10_000_000;
  @Matches(ACCOUNT_LIMITS_FORM, { message: `$property ${ACCOUNT_LIMITS_RULE}` }) ACCOUNT_LIMITS = DEFAULT_ACCOUNT_LIMITS;
  @int(1, 100_000_000_000) ACCOUNT_LIMITS_CENTS_PER_BTC = 10_000_000;

  @IsOptional() @Matches(/^[0-9a-f]{7,64}$/, { message: '$property must be 7 to 64 hexadecimal digits' }) SLUICE_COMMIT?: string;

  @int(1, 300) PAYMENT_WAIT_SECONDS = 30;
  @int(0, 100_000) FEE_LIMIT_PPM = 5_000;
  @int(0, 1_000_000) FEE_LIMIT_MIN_SATS = 10;
  @int(1, 3_600) RECONCILE_INTERVAL_SECONDS = 2;
  @int(0, 3_600) RECONCILE_AFTER_SECONDS = 3;
  @int(1, 3_600) PAYMENT_LEASE_SECONDS = 15;
  @int(1, 10_000) INVOICE_LOOK_UPS_PER_SECOND = 100;
  @IsOptional() @hours() PAYMENT_NOT_FOUND_HOURS?: number;
  @int(0, 3_650) PAYMENT_RECHECK_DAYS = 14;
  @int(1, DAY) INVOICE_FORGET_AFTER_SECONDS = 60;
  @int(60, 30 * DAY) IDEMPOTENCY_SECONDS = DAY;
  @int(1, 24 * 90) EVENT_KEEP_HOURS = 72;
  @int(1, 86_400) AUDIT_INTERVAL_SECONDS = 60;
  @int(0, 300) DRAIN_SECONDS = 1;
  @IsOptional() @networks() EGRESS_ALLOW?: string;
  @IsOptional() @oneOf('open', 'invite', 'closed') REGISTRATION?: RegistrationMode;
  @int(1, 3_650 * DAY) SESSION_IDLE_SECONDS = 30 * DAY;
  @int(60, 3_650 * DAY) DEVICE_COOKIE_SECONDS = 365 * DAY;
  @int(1, DAY) ACCESS_TOKEN_SECONDS = 3_600;
  @int(1, 600) AUTHORIZATION_CODE_SECONDS = 60;
  @int(60, DAY) INTERACTION_SECONDS = 1_800;
  @int(1, 3_650 * DAY) REFRESH_TOKEN_IDLE_SECONDS = 30 * DAY;
  @int(1, 3_650 * DAY) REFRESH_TOKEN_ABSOLUTE_SECONDS = 365 * DAY;
  @int(1, 300) REFRESH_REPLAY_SECONDS = 60;
  @int(0, 3_650 * DAY) CONSENT_WRITE_MEMORY_SECONDS = 30 * DAY;

  @oneOf('memory', 'postgres') RATE_LIMIT_STORE: 'memory' | 'postgres' = 'memory';
  @rate() THROTTLE_REGISTRATION = '20/3600';
  @rate() THROTTLE_AUTHORIZATION_PAGE = '120/60';
  @rate() THROTTLE_ADDRESS = '6000/60';
  @rate() THROTTLE_PRINCIPAL = '1200/60';
  @rate() THROTTLE_ACCOUNT = '6000/60';
  @rate() THROTTLE_EVENT_COST = '2400000/60';
  @rate() THROTTLE_ANONYMOUS_INVOICE = '30/60';
  @rate() THROTTLE_ANONYMOUS_INVOICE_FIRST = '3/60';
  @rate() THROTTLE_ANONYMOUS_INVOICE_ALL = '3000/60';
  @rate() THROTTLE_INVOICE_RECIPIENT = '600/60';
  @rate() THROTTLE_INVOICE_FOR_OTHER = '600/60';
  @rate() THROTTLE_LNURL_PAYMENT = '60/60';
  @rate() THROTTLE_SIGN_IN_ACCOUNT = '10/900';
  @rate() THROTTLE_SIGN_IN_ADDRESS = '25/900';
  @rate() THROTTLE_SIGN_IN_DEVICE = '10/900';
  @rate() THROTTLE_TOKEN_CLIENT = '20/60';
  @rate() THROTTLE_TOKEN_ADDRESS = '5/60';

  @int(1, 1_000_000) WORK_PER_ADDRESS = 64;
  @int(1, 1_000_000) WORK_PER_PRINCIPAL = 64;
  @int(1, 1_000_000) WORK_PER_PROCESS = 1_000;
  @int(1, 1_000_000) SOCKETS_PER_PRINCIPAL = 100;
  @int(1, 1_000_000) SOCKETS_PER_ADDRESS = 20;
  @int(1, 10_000) SUBSCRIPTIONS_PER_SOCKET = 50;
  @int(1, 1_000_000) SUBSCRIPTIONS_PER_PRINCIPAL = 500;
  @int(1_024, 16_777_216) SOCKET_MESSAGE_BYTES = 16_384;
  @yesNo() GRAPHIQL = true;
  @int(256, 1_048_576) GRAPHQL_DOCUMENT_BYTES = 16_384;
  @int(1, 100) GRAPHQL_DEPTH = 15;
  @int(1, 1_000) GRAPHQL_ALIASES = 30;
  @int(1, 100_000) GRAPHQL_TOKENS = 1_000;
  @int(100, 10_000_000) GRAPHQL_COST = 20_000;
  @int(65_536, 1_073_741_824) GRAPHQL_ANSWER_BYTES = 4_194_304;
}

/** All problems of an environment, by the names of its variables, never with their values. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

type ProcessVariables = Readonly<Record<string, string | undefined>>;

/** Reads and checks each variable alone; an empty one counts as absent. */
export function readEnvironment(env: ProcessVariables): { environment: Environment; problems: string[] } {
  const { values, problems } = readVariables(Environment, env);
  return { environment: values, problems };
}

/** The same for any class whose properties are variables. */
export function readVariables<T extends object>(type: new () => T, env: ProcessVariables): { values: T; problems: string[] } {
  const present = Object.fromEntries(variablesOf(type).flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const values = plainToInstance(type, present, { exposeDefaultValues: true });
  const unruled = variablesOf(type).filter((name) => !ruledOf(type).includes(name));
  if (unruled.length > 0) return { values, problems: unruled.map((name) => `${name} has no rule of class-validator`) };
  const problems = validateSync(values).flatMap(({ property, value, constraints }) =>
    value === undefined
      ? [`${property} is missing`]
      : Object.values(constraints ?? {})
          .reverse()
          .slice(0, 1),
  );
  return { values, problems };
}

/** The properties of a class: those with a value, and, because some compilers leave the others out of an instance, those with a rule. */
export function variablesOf(type: new () => object): string[] {
  return [...new Set([...Object.keys(new type()), ...ruledOf(type)])];
}

const ruledOf = (type: new () => object): string[] =>
  getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .map(({ propertyName }) => propertyName);
