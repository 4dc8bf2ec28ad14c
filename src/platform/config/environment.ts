import { IsOptional, Matches, MaxLength, MinLength } from 'class-validator';
import { databaseUrl, int, matching, oneOf, secret, url, yesNo } from './rules.js';
import { Setting } from './setting.js';

/** The variables of the process, of its database and of its node: those that rules between folders need. Each folder declares the others. */
export class Environment {
  static readonly title = 'Process, database and node';

  @Setting('`demo` or `production`, see [Two modes](../operating.md#two-modes)')
  @oneOf('demo', 'production')
  SLUICE_MODE: 'demo' | 'production' = 'demo';

  @Setting('port of HTTP and WebSocket; with `0` the system chooses one, and the line `Sluice is ready at` names it')
  @int(0, 65_535)
  PORT = 4000;

  @Setting('address to listen on; `localhost` in demo mode, all addresses in production')
  @IsOptional()
  @MaxLength(255, { message: '$property must have at most 255 characters' })
  HOST?: string;

  @Setting(
    'the address that people and apps use, without a path; `http://localhost:$PORT` in demo mode. Cookies are for https only when it is https. Sluice never takes it from a request',
  )
  @IsOptional()
  @url('http', 'https')
  // The links of the pages begin at the host.
  @matching(/^(?!https?:\/\/[^/?#@]*([/?#].|@))/, 'must have no path and no user: Sluice needs a host name of its own')
  PUBLIC_URL?: string;

  @Setting('the OAuth issuer, where it is not `PUBLIC_URL`; apps compare it byte for byte')
  @IsOptional()
  @url('http', 'https')
  ISSUER_URL?: string;

  @Setting("the API's address as pages show it, where it is not `PUBLIC_URL`")
  @IsOptional()
  @url('http', 'https')
  API_URL?: string;

  @Setting("the WebSocket's address (`wss://…`) where it is not `PUBLIC_URL`, for extensions that show it to clients")
  @IsOptional()
  @url('ws', 'wss')
  WEBSOCKET_URL?: string;

  @Setting("folder of the embedded database, and of the demo's secret and `demo.json`")
  @MinLength(1)
  SLUICE_DATA_DIR = '.data';

  @Setting('`postgres://…` of a PostgreSQL 15 or newer')
  @IsOptional()
  @databaseUrl()
  DATABASE_URL?: string;

  @Setting(
    'the same database without a pooler in between, for migrations and `LISTEN`; needed where `DATABASE_URL` leads through PgBouncer in transaction mode, see [Behind a pooler](../operating-database.md#behind-a-pooler)',
  )
  @IsOptional()
  @databaseUrl()
  DATABASE_DIRECT_URL?: string;

  @Setting('connections of one process')
  @int(2, 500)
  DATABASE_POOL_SIZE = 16;

  @Setting(
    'how long a start, also of a command, waits for a PostgreSQL that starts up, recovers, shuts down or accepts no connection; a wrong password, an unknown database or an unknown host ends it at once',
  )
  @int(0, 3_600)
  DATABASE_START_SECONDS = 30;

  @Setting(
    'when a statement has had no answer for this long, the database counts as away and Sluice closes the connection. PostgreSQL itself ends a statement after four fifths of it (`statement_timeout`)',
  )
  @int(1, 3_600)
  DATABASE_STATEMENT_SECONDS = 15;

  @Setting(
    'how long a statement may wait for a row that another session has locked (`lock_timeout`); then PostgreSQL cancels it, and nothing of it has happened',
  )
  @int(100, 60_000)
  DATABASE_LOCK_MS = 500;

  @Setting('`1`: start although a newer version has migrated the database and does not state that this one may run beside it')
  @yesNo()
  SLUICE_ALLOW_NEWER_SCHEMA = false;

  @Setting('`1`: a demo on `DATABASE_URL`')
  @yesNo()
  SLUICE_DEMO_ON_EXTERNAL_DB = false;

  @Setting('`1`: production on the embedded PostgreSQL')
  @yesNo()
  SLUICE_EMBEDDED_POSTGRES = false;

  @Setting('32 characters or more. Encrypts signing keys and signs forms. A demo creates one in its data folder')
  @IsOptional()
  @secret(32)
  SECRET_KEY?: string;

  @Setting('the previous key, while both are in use')
  @IsOptional()
  @secret(32)
  SECRET_KEY_PREVIOUS?: string;

  @Setting('16 characters or more: the bearer token for `/metrics`. Without it, production refuses every request for `/metrics`')
  @IsOptional()
  @secret(16)
  METRICS_TOKEN?: string;

  @Setting("`mainnet`, `testnet`, `signet` or `regtest`; a demo's is `regtest`")
  @IsOptional()
  @oneOf('mainnet', 'testnet', 'signet', 'regtest')
  NETWORK?: 'mainnet' | 'testnet' | 'signet' | 'regtest';

  @Setting(
    "`simulator`, also the demo's; `lnd`; `custom` where `createApp({ lightning })` brings one ([extending-lightning.md](../extending-lightning.md))",
  )
  @IsOptional()
  @Matches(/^[a-z][a-z0-9-]{0,31}$/, { message: '$property must be a name of lower-case letters, digits and hyphens' })
  LIGHTNING_BACKEND?: string;

  @Setting('`1`: the simulator in production, with money without real value')
  @yesNo()
  SLUICE_ALLOW_SIMULATED_MONEY = false;

  @Setting(
    '`1`: production on plain HTTP beyond this machine, for a test network: passwords and keys can be read on the way, and every page says so',
  )
  @yesNo()
  SLUICE_ALLOW_HTTP = false;

  @Setting(
    'what keys and tokens begin with: 2 to 16 lower-case letters, digits and single underscores, such as `sluice_staging`; it does not end in `_at`, `_rt`, `_ac`, `_cs`, `_st` or `_in`, which mark kinds of tokens. A change invalidates all of them',
  )
  @Matches(/^(?=.{2,16}$)(?!.*_(?:at|rt|ac|cs|st|in)$)[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/, {
    message:
      '$property must be 2 to 16 lower-case letters, digits and single underscores, and must not end in _at, _rt, _ac, _cs, _st or _in',
  })
  TOKEN_PREFIX = 'sluice';

  @Setting(
    "number of proxies in front whose `X-Forwarded-For` Sluice trusts for the caller's address. If it is too high, clients can spoof their address",
  )
  @int(0, 10)
  TRUST_PROXY = 0;

  @Setting('`trace`, `debug`, `info`, `warn`, `error` or `silent`; one JSON object a line on standard output, without credentials')
  @oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent')
  LOG_LEVEL = 'info';

  @Setting('commit of this build, 7 to 64 hexadecimal digits; `globals.buildInformation` returns it')
  @IsOptional()
  @Matches(/^[0-9a-f]{7,64}$/, { message: '$property must be 7 to 64 hexadecimal digits' })
  SLUICE_COMMIT?: string;

  @Setting(
    'from SIGTERM: how long the server still answers everything while `/health/ready` is 503. At least as long as your balancer takes to notice',
  )
  @int(0, 300)
  DRAIN_SECONDS = 1;
}
