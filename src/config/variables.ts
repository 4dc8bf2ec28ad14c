import type { Environment } from './environment.js';

type Section = Readonly<Partial<Record<keyof Environment, string>>>;

/** What each variable means, by section of docs/reference/variables.md: `npm run docs` writes the tables there. */
export const VARIABLES = {
  'Addresses and process': {
    SLUICE_MODE: '`demo` or `production`, see [Two modes](../operating.md#two-modes)',
    PORT: 'port of HTTP and WebSocket; with `0` the system chooses one, and the line `Sluice is ready at` names it',
    HOST: 'address to listen on; `localhost` in demo mode, all addresses in production',
    PUBLIC_URL:
      'the address that people and apps use; `http://localhost:$PORT` in demo mode. Cookies are for https only when it is https. Sluice never takes it from a request',
    ISSUER_URL: 'the OAuth issuer, where it is not `PUBLIC_URL`; apps compare it byte for byte',
    API_URL: "the API's address as pages show it, where it is not `PUBLIC_URL`",
    WEBSOCKET_URL: "the WebSocket's address (`wss://…`) where it is not `PUBLIC_URL`, for extensions that show it to clients",
    SLUICE_DATA_DIR: "folder of the embedded database, and of the demo's secret and `demo.json`",
    TRUST_PROXY:
      "number of proxies in front whose `X-Forwarded-For` Sluice trusts for the caller's address. If it is too high, clients can spoof their address",
    REGISTRATION:
      'who may register: `open` (every person), `invite` (with a one-time invitation, `sluice invitation create`) or `closed` (operators make users, `sluice user create`); `open` in demo mode, `closed` in production',
    DRAIN_SECONDS:
      'from SIGTERM: how long the server still answers everything while `/health/ready` is 503. At least as long as your balancer takes to notice',
    EGRESS_ALLOW:
      'networks, such as `10.0.0.0/8,fd00::/8`, that requests to addresses of callers (webhooks, LNURL) may go to although they are not public, also by `http:`; this machine in demo mode, none in production. Names with a dot are looked up in DNS, not in the file `hosts`',
    LOG_LEVEL: '`trace`, `debug`, `info`, `warn`, `error` or `silent`; one JSON object a line on standard output, without credentials',
    SLUICE_COMMIT: 'commit of this build, 7 to 64 hexadecimal digits; `globals.buildInformation` returns it',
  },
  Database: {
    DATABASE_URL: '`postgres://…` of a PostgreSQL 15 or newer',
    DATABASE_DIRECT_URL:
      'the same database without a pooler in between, for migrations and `LISTEN`; needed where `DATABASE_URL` leads through PgBouncer in transaction mode, see [Behind a pooler](../operating-database.md#behind-a-pooler)',
    DATABASE_POOL_SIZE: 'connections of one process',
    DATABASE_START_SECONDS:
      'how long a start, also of a command, waits for a PostgreSQL that starts up, recovers, shuts down or accepts no connection; a wrong password, an unknown database or an unknown host ends it at once',
    DATABASE_STATEMENT_SECONDS:
      'when a statement has had no answer for this long, the database counts as away and Sluice closes the connection. PostgreSQL itself ends a statement after four fifths of it (`statement_timeout`)',
    DATABASE_LOCK_MS:
      'how long a statement may wait for a row that another session has locked (`lock_timeout`); then PostgreSQL cancels it, and nothing of it has happened',
    SLUICE_ALLOW_NEWER_SCHEMA:
      '`1`: start although a newer version has migrated the database and does not state that this one may run beside it',
    SLUICE_EMBEDDED_POSTGRES: '`1`: production on the embedded PostgreSQL',
    SLUICE_DEMO_ON_EXTERNAL_DB: '`1`: a demo on `DATABASE_URL`',
  },
  'Secrets and money': {
    SECRET_KEY: '32 characters or more. Encrypts signing keys and signs forms. A demo creates one in its data folder',
    SECRET_KEY_PREVIOUS: 'the previous key, while both are in use',
    METRICS_TOKEN: '16 characters or more: the bearer token for `/metrics`. Without it, production refuses every request for `/metrics`',
    TOKEN_PREFIX: 'what keys and tokens begin with, 2 to 16 lower-case letters and digits. A change invalidates all of them',
    NETWORK: "`mainnet`, `testnet`, `signet` or `regtest`; a demo's is `regtest`",
    LIGHTNING_BACKEND:
      "`simulator`, also the demo's; `lnd`; `custom` where `createApp({ lightning })` brings one ([extending-lightning.md](../extending-lightning.md))",
    LND_ADDRESS: "`host:port` of the LND node's gRPC; required with `LIGHTNING_BACKEND=lnd`",
    LND_TLS_CERT: "path of the node's `tls.cert`, or its base64; without it, the system's authorities decide",
    LND_MACAROON:
      'path of a macaroon, or its hex; required with `LIGHTNING_BACKEND=lnd`. `sluice lnd check` prints the line that makes one with the least rights',
    LND_ROUTE_HINTS: '`1`: invoices name private channels, so that a node without public ones can be paid',
    SLUICE_ALLOW_SIMULATED_MONEY: '`1`: the simulator in production, with money without real value',
    LIGHTNING_CALL_SECONDS:
      'how long the node may take to answer a call; a call of `pay` may take `PAYMENT_WAIT_SECONDS` more. After that the answer counts as unknown',
    LIGHTNING_CALLS_IN_PROGRESS: "most calls of one kind that wait for the node's answer; beyond them the result is unknown at once",
    LIGHTNING_PAYMENTS_IN_PROGRESS:
      'the same for payments; beyond them Sluice does not send a payment and releases its money at once. One account takes at most as many slots as it leaves free for the others: alone half, two accounts a third each',
    PRICE_SOURCE:
      'where the price of a bitcoin comes from: `fixed` (`FIXED_PRICE_CENTS_PER_BTC`; a demo’s default), `http` (the median of `PRICE_SOURCES`) or `none` (the default in production: dollars are not shown). A source of your own replaces it (`createApp({ price })`)',
    PRICE_SOURCES:
      'the sources of `PRICE_SOURCE=http`, at most 10, with commas between them: `bitstamp`, `coinbase`, `coingecko`, `kraken`, or addresses such as `https://prices.example/ticker#/last;/timestamp`, see [Prices](../operating-money.md#prices)',
    PRICE_SOURCES_MIN: 'how many sources must agree; by default more than half of them',
    PRICE_MAX_AGE_SECONDS: 'an older answer of a source is not used',
    PRICE_MAX_DEVIATION_PERCENT: 'a source that is further away from the median is not used',
    FIXED_PRICE_CENTS_PER_BTC: 'US cents a bitcoin, for amounts shown as "about", with `PRICE_SOURCE=fixed`',
    DEALER_SPREAD_BPS:
      'what the dealer adds to the price for customers who buy bitcoin with dollars, and takes from it for those who sell, in hundredths of a percent; the spread of a price source of your own comes on top',
    DEALER_LIMIT_CENTS:
      'the most US cents that all customers together may have: payments that would bring them more are refused with `DEALER_LIMIT`, see [Dollars](../operating-money.md#dollars)',
    ACCOUNT_LIMITS:
      'the most that an account may send in any 24 hours, by its level, as `<withdrawal>/<internal send>/<convert>` in whole US cents without fees: paid by the node, to other accounts of this server, and between the wallets of the account; `none`: no limits. See [Limits of accounts](../operating-money.md#limits-of-accounts)',
    ACCOUNT_LIMITS_CENTS_PER_BTC: 'US cents a bitcoin, at which these limits count bitcoin while there is no price to be trusted',
    FEE_LIMIT_PPM: 'most that a route may cost, in millionths of the amount …',
    FEE_LIMIT_MIN_SATS: '… or this, if it is more',
    PAYMENT_WAIT_SECONDS: 'how long a caller waits for the end of a payment; then the answer is `PENDING`',
    RECONCILE_INTERVAL_SECONDS:
      'how often the reconciler looks for due payments in flight; it asks the node about each of them after 1, 2, 4 … seconds, finally every 300',
    RECONCILE_AFTER_SECONDS: 'how old a payment is when the reconciler first asks the node about it',
    PAYMENT_LEASE_SECONDS:
      'how long a process may take to dispatch a payment to the node. If a payment was not dispatched, the reconciler releases it only after this time and after the node has reported "not found" twice',
    PAYMENT_NOT_FOUND_HOURS:
      'how long the node must report that it does not know a payment that was dispatched, before Sluice releases the money: 24, in demo mode a minute; a fraction is allowed. A short time releases what a slow request may still pay',
    PAYMENT_RECHECK_DAYS: 'how long Sluice asks the node again about failed payments, at start and once an hour',
    INVOICE_LOOK_UPS_PER_SECOND:
      'most invoices a second that a process asks the node about: each unpaid one at its expiry, and all open ones after an interruption of the settlement stream',
    INVOICE_FORGET_AFTER_SECONDS:
      "Sluice deletes an expired, unpaid invoice that one caller created on another's behalf: this long after the node reported that it cannot be paid any more, while the settlement stream was connected. A late payment still reaches its wallet",
    IDEMPOTENCY_SECONDS: 'how long Sluice stores the answer to a mutation with an idempotency key',
    EVENT_KEEP_HOURS:
      'how long Sluice keeps events for a durable consumer of an extension that has not handled them; then it stops the consumer. Other events are kept for an hour',
    AUDIT_INTERVAL_SECONDS: 'how often a process audits what is new in the ledger, one of all; once a night, one audits the whole history',
  },
  Lifetimes: {
    SESSION_IDLE_SECONDS: 'a session ends after this time without use',
    DEVICE_COOKIE_SECONDS: 'how long Sluice recognises a browser for the account that signed in there last; signing out does not end that',
    ACCESS_TOKEN_SECONDS: 'life of an OAuth access token',
    AUTHORIZATION_CODE_SECONDS: 'life of an authorization code',
    INTERACTION_SECONDS: 'how long a person may take to sign in and decide',
    REFRESH_TOKEN_IDLE_SECONDS: 'a refresh token ends after this time without use',
    REFRESH_TOKEN_ABSOLUTE_SECONDS: 'a grant ends after this time in any case',
    REFRESH_REPLAY_SECONDS:
      'a refresh repeated within this time gets the same answer; a later one counts as theft and ends the whole grant',
    CONSENT_WRITE_MEMORY_SECONDS: 'after this time the consent page asks the person again whether an app may send money',
  },
  'Rate limits': {
    RATE_LIMIT_STORE:
      '`memory`: each process counts for itself. `postgres`: all processes of the database share the counts of wrong passwords and wrong client secrets; set it where there are several. While the database does not count them, each process does',
    THROTTLE_ADDRESS: 'all calls from one address (an IPv4 address or an IPv6 /64)',
    THROTTLE_PRINCIPAL:
      'all calls with one key, grant or session; a costly document counts as several calls, one for each 2,000 of its cost',
    THROTTLE_ACCOUNT: 'the same for all keys, grants and sessions of one account',
    THROTTLE_EVENT_COST:
      "cost of the events of one account's subscriptions, with all keys together: each event costs as much as its document, and 50 more. Beyond it each subscription ends at its next event. Without a credential the address counts",
    THROTTLE_REGISTRATION: 'new accounts from one address',
    THROTTLE_SIGN_IN_ACCOUNT: 'wrong passwords for one account from one address',
    THROTTLE_SIGN_IN_ADDRESS:
      'wrong passwords from one address; beyond it Sluice compares none from there until the window ends, except from a browser in which the owner of the account has signed in before',
    THROTTLE_SIGN_IN_DEVICE:
      'wrong passwords for an account from a browser in which its owner has signed in before; they count for no address',
    THROTTLE_AUTHORIZATION_PAGE:
      'authorization requests that need a page, from one address; and those granted without a page, from one sign-in',
    THROTTLE_TOKEN_CLIENT: 'refused requests at the token endpoint for one client',
    THROTTLE_TOKEN_ADDRESS: 'refused requests at the token endpoint from one address',
    THROTTLE_ANONYMOUS_INVOICE: 'invoices created without a credential, from one address',
    THROTTLE_ANONYMOUS_INVOICE_FIRST:
      'the first of them from one address (IPv6: /48), which pass even where the next two limits are reached, so that no crowd closes a recipient to others',
    THROTTLE_ANONYMOUS_INVOICE_ALL: 'invoices created without a credential, by all callers together',
    THROTTLE_INVOICE_RECIPIENT: "invoices created without a credential for one recipient; the recipient's own calls never count",
    THROTTLE_INVOICE_FOR_OTHER:
      'invoices created with credentials of one account for one recipient (`lnInvoiceCreateOnBehalfOfRecipient` and `lnNoAmountInvoiceCreateOnBehalfOfRecipient`), with all keys together',
    THROTTLE_LNURL_PAYMENT:
      'payments to Lightning addresses and LNURLs (`lnAddressPaymentSend`, `lnurlPaymentSend`) of one account, with all keys together: each may send requests to an address that the caller chose',
  },
  Limits: {
    GRAPHIQL:
      '`0`: the page that a browser gets at `/graphql` has no editor, and the server does not serve GraphiQL. See [the page of the API](../api.md#the-page-of-the-api)',
    GRAPHQL_DOCUMENT_BYTES: 'longest document',
    GRAPHQL_DEPTH: 'deepest selection',
    GRAPHQL_ALIASES: 'most aliases in a document',
    GRAPHQL_TOKENS: 'most tokens in a document',
    GRAPHQL_COST: 'most fields that an answer could have; a page of a list counts with the requested length',
    GRAPHQL_ANSWER_BYTES: 'longest answer of a query; a longer one is `RESPONSE_TOO_LARGE`. The limit does not apply to mutations',
    WORK_PER_ADDRESS:
      'requests, and operations of sockets, of one address in progress at once; further HTTP requests get 503. One connection may have 8. Callers behind one proxy are one address unless `TRUST_PROXY` says otherwise',
    WORK_PER_PRINCIPAL: 'the same for one key, grant or session; an account may have four times as many with all of them',
    WORK_PER_PROCESS:
      'the same for all callers together; from three quarters of it on, a caller that has 8 in progress gets no more. A request that only waits for the outcome of a payment does not count',
    SOCKETS_PER_PRINCIPAL: 'open sockets of one key, grant or session',
    SOCKETS_PER_ADDRESS: 'open sockets without a credential from one address; all addresses together have 1,000',
    SUBSCRIPTIONS_PER_SOCKET: 'subscriptions on one socket; without a credential at most 5',
    SUBSCRIPTIONS_PER_PRINCIPAL: 'subscriptions of one key, grant or session, on all its sockets',
    SOCKET_MESSAGE_BYTES: 'longest message from a client',
  },
} as const satisfies Readonly<Record<string, Section>>;
