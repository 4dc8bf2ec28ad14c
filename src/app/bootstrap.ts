import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { AppModule, type AppOptions } from './app.module.js';
import {
  Config,
  ConfigError,
  configOfCommand,
  demoSecretKey,
  existingSecretKey,
  loadConfig,
  readSettings,
  unknownVariables,
  type ProcessVariables,
  type Settings,
} from '../platform/config/index.js';
import { MadeParts } from '../platform/database/index.js';
import { EmbeddedPostgres } from '../platform/embedded-postgres/index.js';
import { IdentitySettings } from '../access/identity/index.js';
import { PasswordSettings } from '../access/user/index.js';
import { checkNames, variablePrefix, variablesOfAll } from './extension.js';
import { Readiness } from '../edge/health/index.js';
import { checkRequests, createAdapter, Hooks, registerFormParser, registerJsonParser } from '../edge/http/index.js';
import { AbsentNode } from '../money/lightning/index.js';
import { Log, PinoLogger } from '../platform/logging/index.js';
import { addressOf, policiesOfExtensions, type RateLimitPolicy } from '../edge/rate-limit/index.js';
import { withDatabase, type OpenDatabase } from './open-database.js';
import { SETTINGS, type SettingsOverrides } from './settings.js';

export interface CreateAppOptions extends Partial<Omit<AppOptions, 'config' | 'connection' | 'settings' | 'rateLimits'>> {
  /** The environment variables to read; default: the process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: read from `env`. */
  readonly config?: Config;
  readonly connection?: AppOptions['connection'];
  readonly logger?: LoggerService;
  /** Values past the environment: for tests. */
  readonly settings?: SettingsOverrides;
  /** Ends the wait of a start for PostgreSQL (`DATABASE_START_SECONDS`). */
  readonly signal?: AbortSignal;
}

/** An assembled application: `listen` serves, `close` ends it cleanly, the database last. */
export interface Sluice {
  readonly app: NestFastifyApplication;
  readonly config: Config;
  /** @returns the public address */
  listen(): Promise<string>;
  /** Keeps serving for DRAIN_SECONDS while readiness answers 503. Behind a load balancer, await this before `close`. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** The name in `LIGHTNING_BACKEND` when the back end comes from `createApp({ lightning })`. */
const OWN_BACKEND = 'custom';

/**
 * Assembles the application: for `main`, for extensions' own entries and for every end-to-end test.
 * @throws ConfigError, EmbeddedPostgresError or Error with a sentence for the operator
 */
export async function createApp(options: CreateAppOptions = {}): Promise<Sluice> {
  const chosen = configured(options);
  return withDatabase(chosen, options, async (database) => sluiceOf(await assemble(options, chosen, database), chosen.config, database));
}

async function assemble(
  options: CreateAppOptions,
  { config, settings, rateLimits, logger }: Configured,
  { connection }: OpenDatabase,
): Promise<NestFastifyApplication> {
  let app: NestFastifyApplication | undefined;
  const made = new MadeParts();
  try {
    const adapter = createAdapter((address) => (config.trustProxyHops > 0 ? undefined : addressOf(address, undefined, 0)));
    app = await NestFactory.create<NestFastifyApplication>(
      AppModule.forRoot({ ...options, config, settings, rateLimits, connection }),
      adapter,
      {
        logger,
        abortOnError: false,
        bodyParser: true,
        rawBody: true,
        instrument: { instanceDecorator: <T>(instance: T) => made.keep(instance) },
      },
    );
    registerFormParser(adapter);
    registerJsonParser(adapter);
    const readiness = app.get(Readiness);
    const hooks = app.get(Hooks);
    hooks.add('bodies', (fastify) => checkRequests(fastify, () => readiness.isLeaving));
    await hooks.attachTo(adapter.getInstance());
    return await app.init();
  } catch (error) {
    // The parts that have started hold connections, and would keep the process alive.
    await (app ? closeAll(app).catch(() => undefined) : made.close());
    throw error;
  }
}

const sluiceOf = (app: NestFastifyApplication, config: Config, database: OpenDatabase): Sluice => ({
  app,
  config,
  listen: async () => {
    // As many wait to be accepted as Linux permits: one that finds no place waits for its client's next try, a second or more.
    await app.listen({ port: config.port, host: config.host, backlog: 4_096 }).catch((error: NodeJS.ErrnoException) => {
      throw error.syscall === 'getaddrinfo' ? new ConfigError(['HOST must be an address of this machine']) : error;
    });
    config.boundTo((app.getHttpServer().address() as AddressInfo).port);
    database.servesAt?.(config.publicUrl);
    return config.publicUrl;
  },
  drain: async () => {
    app.get(Readiness).isLeaving = true;
    database.servesAt?.(undefined);
    await new Promise((resolve) => setTimeout(resolve, config.drainMs));
  },
  close: async () => {
    app.get(Readiness).isLeaving = true;
    database.servesAt?.(undefined);
    await closeAll(app, database.stop);
  },
});

/**
 * The configuration of a server that has run before, for the operator's commands. A forgotten SLUICE_DATA_DIR must not count as a new
 * installation: its audit would pass, and no server would know its apps.
 * @throws ConfigError or EmbeddedPostgresError when there is no such server; creates nothing
 */
export function existingConfig(env: ProcessVariables): Config {
  return configOfCommand(env, (dataDir) => {
    if (!env['DATABASE_URL']) EmbeddedPostgres.assertMade(dataDir);
    return existingSecretKey(dataDir);
  });
}

/**
 * A command does its work and ends. Workers that begin at bootstrap (reconciling, listening to the node, auditing) run in the server only, and
 * only the server serves a GraphQL schema, which takes a third of a second to build.
 */
function withoutWorkers<T>(instance: T): T {
  if (instance instanceof GraphQLModule) Object.defineProperty(instance, 'onModuleInit', { value: undefined });
  if (typeof instance === 'object' && instance !== null && 'onApplicationBootstrap' in instance)
    Object.defineProperty(instance, 'onApplicationBootstrap', { value: undefined });
  return instance;
}

/**
 * The same application without HTTP server and workers, for the operator's commands: on the running server's database, or on one that this
 * process starts. It connects no node unless `usesNode`; a simulated node is part of the database.
 * @throws EmbeddedPostgresError when there is no database yet; only a server creates one
 */
export async function createContext(
  options: CreateAppOptions & { readonly usesNode?: boolean | undefined },
): Promise<{ context: INestApplicationContext; close: () => Promise<void> }> {
  const { config, settings, rateLimits, logger } = configured(options);
  const embedded = config.database.url === undefined && options.connection === undefined;
  if (embedded) EmbeddedPostgres.assertMade(config.dataDir);
  const running = embedded ? await EmbeddedPostgres.findRunning(config.dataDir) : undefined;
  const lightning = config.simulatedMoney || options.usesNode ? options.lightning : (options.lightning ?? AbsentNode);
  const where = running ? { ...options, connection: { ...running } } : options;
  return withDatabase({ config, logger }, where, async ({ connection, stop }) => {
    const made = new MadeParts();
    try {
      const context = await NestFactory.createApplicationContext(
        AppModule.forRoot({ ...options, config, settings, rateLimits, connection, ...(lightning && { lightning }) }),
        { logger, abortOnError: false, instrument: { instanceDecorator: <T>(instance: T) => made.keep(withoutWorkers(instance)) } },
      );
      return { context, close: () => closeAll(context, stop) };
    } catch (error) {
      await made.close();
      throw error;
    }
  });
}

/** The configuration and the settings alone. @throws ConfigError */
export function settingsContext(options: CreateAppOptions): Pick<INestApplicationContext, 'get'> {
  const { config, settings } = configured(options);
  const parts = new Map<unknown, unknown>([[Config, config], ...settings]);
  return { get: ((token: unknown) => parts.get(token)) as INestApplicationContext['get'] };
}

interface Configured extends Pick<Settings, 'settings'> {
  readonly rateLimits: readonly RateLimitPolicy[];
  readonly config: Config;
  readonly logger: LoggerService;
}

/** @throws ConfigError with every problem of Sluice's configuration and of the extensions', after Error for a wrong name */
function configured({
  env = process.env,
  config,
  lightning,
  identity,
  logger,
  extensions = [],
  settings: overrides,
}: CreateAppOptions): Configured {
  checkNames(extensions);
  const { settings, problems: ofSettings } = readSettings(Object.values(SETTINGS), extensions, env, overrides);
  const { policies: rateLimits, problems: ofRateLimits } = policiesOfExtensions(extensions, env, variablePrefix);
  const { problems: misspelt, unknown } = unknownVariables(
    env,
    new Set(variablesOfAll(extensions)),
    new Map(extensions.map(({ name }) => [name, variablePrefix(name)])),
  );
  const problems = [...misspelt, ...ofSettings, ...ofRateLimits, ...problemsOfSignIn(settings, identity !== undefined)];
  if (config && problems.length > 0) throw new ConfigError(problems);
  const chosen = config ?? (lightning ? configOfOwnBackend(env, problems) : loadConfig(env, demoSecretKey, undefined, problems));
  AppModule.check(extensions);
  // JSON is for programs: a user who tries the demo at a terminal gets readable lines.
  const readable = chosen.mode === 'demo' && process.stdout.isTTY;
  const log = logger ?? new PinoLogger({ level: chosen.logLevel, tokenPrefix: chosen.tokenPrefix, readable });
  const configLog = new Log('Config', log);
  if (unknown.length > 0)
    configLog.warn('process_variables_unknown', { names: unknown.join(', ') }, `Sluice has no variables ${unknown.join(', ')}`);
  return { config: chosen, settings, rateLimits, logger: log };
}

/** Some way to sign in must be left. */
function problemsOfSignIn(settings: Settings['settings'], hasProvider: boolean): string[] {
  const isPossible = (settings.get(PasswordSettings) as PasswordSettings).PASSWORD_SIGN_IN || hasProvider;
  return isPossible || (settings.get(IdentitySettings) as IdentitySettings).isConfigured
    ? []
    : ['PASSWORD_SIGN_IN=0 needs an identity provider: set IDENTITY_ISSUER or TRUSTED_IDENTITY_HEADER'];
}

/** A back end from the caller always has this name, so that real money is never called `simulator`, nor the other way round. */
function configOfOwnBackend(env: Required<CreateAppOptions>['env'], problems: readonly string[]): Config {
  const isDemo = (env['SLUICE_MODE'] || 'demo') === 'demo';
  const wrong = isDemo ? ['SLUICE_MODE must be production: a demo has no Lightning back end but the simulator'] : [];
  return loadConfig(env, demoSecretKey, new Set([OWN_BACKEND]), [...problems, ...wrong]);
}

async function closeAll(app: INestApplicationContext, stopDatabase?: () => Promise<void>): Promise<void> {
  const source = app.get(DataSource);
  try {
    await app.close();
  } finally {
    // Last: requests that are still in flight need it.
    if (source.isInitialized) await source.destroy();
    await stopDatabase?.();
  }
}
