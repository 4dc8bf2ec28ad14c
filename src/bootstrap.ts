import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule, type AppOptions } from './app.module.js';
import { RequestHook } from './auth/index.js';
import { ConfigError, demoSecretKey, existingSecretKey, loadConfig, PinoLogger, type Config } from './config/index.js';
import { Database, EmbeddedPostgres } from './database/index.js';
import { namingExtension } from './extension.js';
import { Readiness } from './health/index.js';
import { compressAnswers, configureHttp, createAdapter, enableCors, guardHost } from './http/index.js';
import { AbsentNode } from './lightning/index.js';
import { ApiPageHook } from './page/index.js';

export interface CreateAppOptions extends Partial<Omit<AppOptions, 'config' | 'connection'>> {
  /** Without it: from the process's environment. */
  readonly config?: Config;
  readonly connection?: AppOptions['connection'];
  readonly logger?: LoggerService;
}

/** A Sluice that has been put together: `listen` to serve, `close` to end it cleanly, the database last. */
export interface Sluice {
  readonly app: NestFastifyApplication;
  readonly config: Config;
  /** @returns the public address */
  listen(): Promise<string>;
  /** Keeps serving while readiness says no, for as long as a balancer needs to notice. Where there is one, await this before `close`. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** What `LIGHTNING_BACKEND` says where `createApp({ lightning })` brings the back end. */
const OWN_BACKEND = 'custom';

/**
 * Puts the application together: what `main`, extensions' own entries and every end-to-end test use.
 * @throws ConfigError, EmbeddedPostgresError or Error with a sentence for the person who starts it
 */
export async function createApp(options: CreateAppOptions = {}): Promise<Sluice> {
  const { config, logger } = configured(options);
  const database = await openDatabase(config, options, logger);
  let app: NestFastifyApplication | undefined;
  try {
    const adapter = createAdapter();
    app = await NestFactory.create<NestFastifyApplication>(
      AppModule.forRoot({ ...options, config, connection: database.connection }),
      adapter,
      { logger, abortOnError: false, bodyParser: true },
    );
    guardHost(adapter, config);
    enableCors(adapter);
    await compressAnswers(adapter);
    const readiness = app.get(Readiness);
    app.get(RequestHook).attach(adapter.getInstance());
    app.get(ApiPageHook).attach(adapter.getInstance());
    configureHttp(adapter, () => readiness.isLeaving);
    await app.init();
    return sluiceOf(app, config, database);
  } catch (error) {
    // What was begun already holds connections, and would keep the process.
    await (app ? closeAll(app, database.stop).catch(() => undefined) : database.stop());
    throw namingExtension(error, options.extensions);
  }
}

const sluiceOf = (app: NestFastifyApplication, config: Config, database: OpenDatabase): Sluice => ({
  app,
  config,
  listen: async () => {
    await app.listen(config.port, config.host);
    config.boundTo((app.getHttpServer().address() as AddressInfo).port);
    database.servesAt?.(config.publicUrl);
    return config.publicUrl;
  },
  drain: async () => {
    app.get(Readiness).leave();
    database.servesAt?.(undefined);
    await new Promise((resolve) => setTimeout(resolve, config.drainMs));
  },
  close: async () => {
    app.get(Readiness).leave();
    database.servesAt?.(undefined);
    await closeAll(app, database.stop);
  },
});

/**
 * The configuration of a server that has run before, for the operator's commands. A forgotten SLUICE_DATA_DIR must not pass for a new
 * installation: its books would balance, and its apps would be known to no server.
 * @throws ConfigError or EmbeddedPostgresError where there is no such server; nothing is made
 */
export function existingConfig(): Config {
  const { DATABASE_URL, LIGHTNING_BACKEND } = process.env;
  const secretOf = (dataDir: string): string => {
    if (!DATABASE_URL) EmbeddedPostgres.assertMade(dataDir);
    return existingSecretKey(dataDir);
  };
  // The server has judged the name of its back end already; which ones there are depends on who started it.
  return loadConfig(process.env, secretOf, new Set(['simulator', ...(LIGHTNING_BACKEND ? [LIGHTNING_BACKEND] : [])]));
}

/** A command does its work and ends. What runs beside it (reconciling, listening to the node, auditing) is the server's: it never begins here. */
function withoutWorkers<T>(instance: T): T {
  if (typeof instance === 'object' && instance !== null && 'onApplicationBootstrap' in instance)
    Object.defineProperty(instance, 'onApplicationBootstrap', { value: undefined });
  return instance;
}

/**
 * The same application without its front door and its workers, for the operator's commands: on the running server's database, or on one
 * started meanwhile. Without `lightning` no node is connected; a simulated one is a part of the database.
 * @throws EmbeddedPostgresError where there is no database yet; a server makes one, a command does not
 */
export async function createContext(
  options: CreateAppOptions = {},
): Promise<{ context: INestApplicationContext; config: Config; close: () => Promise<void> }> {
  const { config, logger } = configured(options);
  const embedded = config.database.url === undefined && options.connection === undefined;
  if (embedded) EmbeddedPostgres.assertMade(config.dataDir);
  const running = embedded ? await EmbeddedPostgres.findRunning(config.dataDir) : undefined;
  const database = await openDatabase(config, running ? { connection: { ...running } } : options, logger);
  const lightning = config.simulatedMoney ? undefined : (options.lightning ?? AbsentNode);
  try {
    const context = await NestFactory.createApplicationContext(
      AppModule.forRoot({ ...options, config, connection: database.connection, ...(lightning && { lightning }) }),
      { logger, abortOnError: false, instrument: { instanceDecorator: withoutWorkers } },
    );
    return { context, config, close: () => closeAll(context, database.stop) };
  } catch (error) {
    await database.stop();
    throw namingExtension(error, options.extensions);
  }
}

function configured({ config, lightning, logger }: CreateAppOptions): { config: Config; logger: LoggerService } {
  const chosen = config ?? (lightning ? configOfOwnBackend() : loadConfig(process.env, demoSecretKey));
  // JSON is for programs: a person who tries the demo at a terminal reads lines.
  const readable = chosen.mode === 'demo' && process.stdout.isTTY;
  return { config: chosen, logger: logger ?? new PinoLogger({ level: chosen.logLevel, tokenPrefix: chosen.tokenPrefix, readable }) };
}

/** A back end that the caller brings goes by one name, so that real money is never called `simulator`, or the other way round. */
function configOfOwnBackend(): Config {
  const config = loadConfig(process.env, demoSecretKey, new Set([OWN_BACKEND]));
  if (config.mode === 'demo') throw new ConfigError(['SLUICE_MODE must be production: a demo has no Lightning back end but the simulator']);
  return config;
}

async function closeAll(app: INestApplicationContext, stopDatabase: () => Promise<void>): Promise<void> {
  const database = app.get(Database);
  try {
    await app.close();
  } finally {
    await database.close();
    await stopDatabase();
  }
}

interface OpenDatabase {
  readonly connection: AppOptions['connection'];
  readonly stop: () => Promise<void>;
  /** Where the database is our own, and with it the data folder. */
  readonly servesAt?: (url: string | undefined) => void;
}

/** The database that was named, or one of our own. */
async function openDatabase(config: Config, { connection }: CreateAppOptions, logger: LoggerService): Promise<OpenDatabase> {
  const stop = async (): Promise<void> => undefined;
  if (connection) return { connection, stop };
  if (config.database.url !== undefined) return { connection: { connectionString: config.database.url }, stop };
  const postgres = await EmbeddedPostgres.start({
    dataDir: config.dataDir,
    onDown: () => void logger.error('The database went away; it is being started again', 'Database'),
    onUp: () => void logger.log('The database is back', 'Database'),
  });
  return { connection: { ...postgres.connection }, stop: () => postgres.stop(), servesAt: (url) => postgres.servesAt(url) };
}
