import { Global, Module, type DynamicModule, type Type } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { fileURLToPath } from 'node:url';
import { FUNCTIONS, MIGRATIONS } from '../../migrations/index.js';
import { AdjustmentModule } from '../operator/adjustment/index.js';
import { ApiKeyModule } from '../access/api-key/index.js';
import { CallModule } from '../access/call/index.js';
import { AuthModule, contextOf, PolicyCheck, requireScopes, ScopeCatalogue, type CredentialStrategy } from '../edge/auth/index.js';
import { ConsoleModule } from '../operator/console/index.js';
import { BudgetModule } from '../money/budget/index.js';
import { ConfigModule, versionOfSluice, type Config, type Settings } from '../platform/config/index.js';
import { DashboardModule } from '../dashboard/index.js';
import { DatabaseModule, type DatabaseOptions } from '../platform/database/index.js';
import { DemoModule } from './demo/index.js';
import { EgressModule } from '../edge/egress/index.js';
import { EventsModule } from '../platform/events/index.js';
import {
  GraphqlSettings,
  CompiledQueries,
  graphqlModule,
  InputPipe,
  noteProgress,
  RefusalFilter,
  requireAdded,
  takeTurns,
} from '../edge/graphql/index.js';
import { HealthModule } from '../edge/health/index.js';
import { checkExtensions, revealedBy, type Extension } from './extension.js';
import { HttpModule } from '../edge/http/index.js';
import { IdentityModule, IdentitySignIn, type IdentityProvider } from '../access/identity/index.js';
import { IdempotencyModule } from '../edge/idempotency/index.js';
import { InvoiceModule } from '../money/invoice/index.js';
import { JobModule } from '../platform/job/index.js';
import { Clock, SystemClock } from '../platform/kernel/clock.js';
import { LedgerModule } from '../money/ledger/index.js';
import { LightningModule, type LightningBackend } from '../money/lightning/index.js';
import { MailModule, Mail, type MailTransport } from '../edge/mail/index.js';
import { LnurlModule } from '../money/lnurl/index.js';
import { NoticeModule } from '../access/notice/index.js';
import { OAuthModule } from '../access/oauth/index.js';
import { DepositModule, OnChainModule, type OnChainBackend } from '../money/onchain/index.js';
import { Loops } from '../platform/loop/index.js';
import { Metrics } from '../platform/metrics/index.js';
import { PageModule } from '../edge/page/index.js';
import { PortModule, StrategyModule } from './port-modules.js';
import { PaymentModule, type PaymentPolicy } from '../money/payment/index.js';
import { PersonalDataModule } from '../money/personal-data/index.js';
import { PriceModule, PriceService, type PriceSource } from '../money/price/index.js';
import { ReconciliationModule } from '../operator/reconciliation/index.js';
import { RateLimitModule, type RateLimitPolicy } from '../edge/rate-limit/index.js';
import { ServerModule } from './server/index.js';
import { SessionModule } from '../access/session/index.js';
import { SignInModule } from '../access/signin/index.js';
import { SocketModule } from '../edge/socket/index.js';
import { TransactionModule } from '../money/transaction/index.js';
import { UserModule } from '../access/user/index.js';
import { WalletModule } from '../money/wallet/index.js';
import { WebhookModule } from '../money/webhook/index.js';

export interface AppOptions {
  readonly config: Config;
  readonly connection: DatabaseOptions['connection'];
  /** A custom back end; without it the one that `LIGHTNING_BACKEND` names. */
  readonly lightning?: Type<LightningBackend>;
  /** A custom on-chain wallet; without it that of the simulator or LND. */
  readonly onChain?: Type<OnChainBackend>;
  readonly extensions?: readonly Extension[];
  /** The settings of all folders and of the extensions, by their classes. */
  readonly settings: Settings['settings'];
  /** The rate limits of the extensions, with the values of their variables. */
  readonly rateLimits?: readonly RateLimitPolicy[];
  readonly clock?: Clock;
  /** Kinds of credentials that the entry point adds. */
  readonly strategies?: readonly CredentialStrategy[];
  /** Where prices come from; without it `PRICE_SOURCE` decides. */
  readonly price?: Type<PriceSource>;
  /** The organisation's rules for payments, invoices and registrations; without it all pass. */
  readonly paymentPolicy?: Type<PaymentPolicy>;
  /** Delivers mail; without it `MAIL_URL` decides. */
  readonly mail?: Type<MailTransport>;
  /** Says who signs in, for the organisation; without it `IDENTITY_ISSUER` or `TRUSTED_IDENTITY_HEADER` decides. */
  readonly identity?: Type<IdentityProvider>;
}

const SCHEMA_FILE = fileURLToPath(new URL('../../schema.graphql', import.meta.url));
/** These types reveal balances, history and personal details, so they need the scope on every path to them. */
const PROTECTED_TYPES = { User: 'read', Account: 'read', Wallet: 'read' };
/** A `BatchLoader` resolves the first two, and the others read their row: a page has three hundred of them. */
const WITHOUT_TURN = [
  'Query.me',
  'User.defaultAccount',
  'Transaction.initiationVia',
  'Transaction.settlementVia',
  'Transaction.settlementPrice',
];

/** The modules with controllers at Sluice's own paths. */
const FRONT = [
  ConsoleModule,
  DashboardModule,
  HealthModule,
  IdentityModule,
  LnurlModule,
  OAuthModule,
  PageModule,
  SessionModule,
  SignInModule,
];

/** What a process has once, for all folders. */
@Global()
@Module({ providers: [Loops, Metrics], exports: [Loops, Metrics] })
class ProcessModule {
  static forRoot(clock: Clock): DynamicModule {
    return { module: ProcessModule, providers: [{ provide: Clock, useValue: clock }], exports: [Clock] };
  }
}

/** As `pg_stat_activity` and the server's log show the connections; the URL may name them otherwise. */
const NAMED = { application_name: 'sluice' };

function databaseOptions({ config, connection, extensions = [] }: AppOptions): DatabaseOptions {
  const { url, directUrl } = config.database;
  return {
    connection: { ...NAMED, ...connection },
    ...(directUrl !== undefined && directUrl !== url && { directConnection: { ...NAMED, connectionString: directUrl } }),
    poolSize: config.database.poolSize,
    maxStatementMs: config.database.maxStatementMs,
    limits: { statementMs: config.database.statementTimeoutMs, lockMs: config.database.lockTimeoutMs },
    allowNewerSchema: config.database.allowNewerSchema,
    entities: extensions.flatMap(({ entities }) => entities ?? []),
    migrations: MIGRATIONS,
    functions: FUNCTIONS,
    release: versionOfSluice(),
    secrets: config,
    extensions: extensions.flatMap(({ name, migrations }) => (migrations ? [{ name, migrations }] : [])),
  };
}

const FEATURES = [
  NoticeModule,
  UserModule,
  SessionModule,
  IdentityModule,
  ApiKeyModule,
  CallModule,
  SignInModule,
  OAuthModule,
  BudgetModule,
  WalletModule,
  TransactionModule,
  WebhookModule,
  DepositModule,
  InvoiceModule,
  LnurlModule,
  PaymentModule,
  PersonalDataModule,
  AdjustmentModule,
  ReconciliationModule,
  ConsoleModule,
  DashboardModule,
  ServerModule,
];

/** The only composition root: all modules, in the order of the dependency rule. */
@Module({})
export class AppModule {
  /** @throws Error as `checkExtensions`, before anything is opened */
  static check(extensions: readonly Extension[]): ReturnType<typeof checkExtensions> {
    return checkExtensions(extensions, { schemaFile: SCHEMA_FILE, front: FRONT });
  }

  static forRoot({ config, connection, lightning, extensions = [], ...options }: AppOptions): DynamicModule {
    const changes = AppModule.check(extensions);
    const graphql = graphqlModule({
      settings: options.settings.get(GraphqlSettings) as GraphqlSettings,
      schemaFiles: [SCHEMA_FILE, ...extensions.flatMap(({ schema }) => schema ?? [])],
      context: contextOf,
      transformSchema: (schema) =>
        requireScopes(takeTurns(noteProgress(requireAdded(schema, changes)), WITHOUT_TURN), {
          ...PROTECTED_TYPES,
          ...revealedBy(extensions),
        }),
    });
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config, options.settings),
        ProcessModule.forRoot(options.clock ?? new SystemClock()),
        EgressModule,
        HttpModule,
        DatabaseModule.forRoot(databaseOptions({ ...options, config, connection, extensions })),
        JobModule,
        EventsModule,
        RateLimitModule.forRoot(options.rateLimits),
        graphql,
        AuthModule.forRoot(new ScopeCatalogue(extensions)),
        HealthModule,
        IdempotencyModule,
        SocketModule.forRoot(graphql),
        PageModule.forRoot(extensions.flatMap(({ menu = [] }) => menu)),
        MailModule,
        LedgerModule,
        LightningModule.forRoot(lightning ?? config.lightningBackend),
        OnChainModule.forRoot(options.onChain ?? (lightning ? null : config.lightningBackend)),
        PriceModule,
        ...FEATURES,
        ...(config.mode === 'demo' ? [DemoModule] : []),
        StrategyModule.forRoot(options.strategies ?? []),
        ...(options.price ? [PortModule.forRoot(options.price, PriceService)] : []),
        ...(options.paymentPolicy ? [PortModule.forRoot(options.paymentPolicy, PolicyCheck)] : []),
        ...(options.mail ? [PortModule.forRoot(options.mail, Mail)] : []),
        ...(options.identity ? [PortModule.forRoot(options.identity, IdentitySignIn, [IdentityModule])] : []),
        ...extensions.map(({ module }) => module),
      ],
      providers: [{ provide: APP_PIPE, useClass: InputPipe }, { provide: APP_FILTER, useClass: RefusalFilter }, CompiledQueries],
    };
  }
}
