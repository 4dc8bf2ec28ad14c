import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createTestDatabase, urlOf, type TestDatabase } from '../../support/database.js';
import { freePort } from '../../support/app.js';
import { ServerProcess } from '../../support/server-process.js';
import type { Registered, Target } from './target.js';

export const CALLBACK = 'https://app.example.test/callback';
const SCOPES = ['read', 'receive', 'write', 'offline', 'offline_access', 'openid'];

let addresses = 0;
/** The servers under test believe a proxy that each row comes from an address of its own. */
const elsewhere = (): Record<string, string> => {
  addresses++;
  return { 'x-forwarded-for': `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}` };
};

/** Two processes of Sluice on one database, as `npm start` runs them, with every limit as shipped; what an operator does is done by its commands. */
export class Sluice {
  private constructor(
    readonly database: TestDatabase,
    /** For what no caller sees: that time has passed, and what was deleted. */
    readonly pool: pg.Pool,
    readonly one: ServerProcess,
    readonly two: ServerProcess,
    readonly target: Target,
  ) {}

  private guarded: Promise<ServerProcess> | undefined;

  static async start(): Promise<Sluice> {
    const database = await createTestDatabase();
    const variables = {
      DATABASE_URL: urlOf(database),
      SLUICE_DEMO_ON_EXTERNAL_DB: '1',
      TRUST_PROXY: '1',
      LOG_LEVEL: 'debug',
      DATABASE_POOL_SIZE: '8',
    };
    const one = await ServerProcess.prepare(variables);
    await one.start();
    const two = await one.sibling();
    await two.start();
    const pool = new pg.Pool({ ...database.connection, max: 2 });
    const [client, second, native] = [
      await register(one, '--redirect-uri', CALLBACK),
      await register(one, '--redirect-uri', CALLBACK),
      await register(one, '--public', '--redirect-uri', 'http://127.0.0.1/cb?a=1'),
    ];
    const alice = one.demo.users['alice'];
    const target: Target = {
      issuer: one.url,
      processes: [one.url, two.url],
      client,
      second,
      native,
      person: { user: alice?.email ?? '', password: alice?.password ?? '' },
      pass: (seconds) => pool.query(AGE, [seconds]),
      elsewhere,
      seen: new Set(),
    };
    return new Sluice(database, pool, one, two, target);
  }

  /** An app of its own for a row, so that nothing is granted yet. */
  register(...options: string[]): Promise<Registered> {
    return register(this.one, ...(options.includes('--redirect-uri') ? [] : ['--redirect-uri', CALLBACK]), ...options);
  }

  /** A third process, behind https, that may call nothing on this machine. */
  guard(): Promise<ServerProcess> {
    this.guarded ??= (async () => {
      const port = String(await freePort());
      const third = await this.one.sibling(undefined, { PUBLIC_URL: 'https://localhost', PORT: port, EGRESS_ALLOW: '10.255.255.0/24' });
      await third.start();
      return third;
    })();
    return this.guarded;
  }

  async close(): Promise<void> {
    await this.pool.end();
    for (const process of [await this.guarded, this.two]) if (process?.isRunning) await process.end();
    await this.one.close();
    await this.database.drop();
  }
}

/** Everything that was used was used this number of seconds earlier. */
const AGE = `UPDATE oauth_refresh_token SET used_at = used_at - make_interval(secs => $1), replay_until = replay_until - make_interval(secs => $1)
  WHERE used_at IS NOT NULL`;

async function register(server: ServerProcess, ...options: string[]): Promise<Registered> {
  const uri = options[options.indexOf('--redirect-uri') + 1] ?? CALLBACK;
  const named = options.includes('--name') ? [] : ['--name', 'Corner Coffee'];
  const scopes = options.includes('--scope') ? [] : ['--scope', ...SCOPES];
  const printed = await server.sluice(
    'client',
    'register',
    ...named,
    ...scopes,
    ...options,
    '--homepage',
    'https://app.example.test/',
    '--json',
  );
  const { client_id: id, client_secret: secret } = JSON.parse(printed) as { client_id: string; client_secret?: string };
  return { id, ...(secret !== undefined && { secret }), redirectUri: uri };
}

export interface OtherServer {
  readonly target: Target;
  close(): void;
}

/** oidc-provider in a process of its own. */
export async function startOidcProvider(): Promise<OtherServer> {
  const child = fork(fileURLToPath(new URL('./oidc-provider.mjs', import.meta.url)), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
  });
  const [ready] = (await once(child, 'message')) as [
    { issuer: string; clients: { client_id: string; client_secret?: string; redirect_uris: string[] }[] },
  ];
  const [client, second, native] = ready.clients.map(({ client_id: id, client_secret: secret, redirect_uris: [redirectUri = ''] }) => ({
    id,
    ...(secret !== undefined && { secret }),
    redirectUri,
  })) as [Registered, Registered, Registered];
  const pass = async (seconds: number): Promise<void> => {
    child.send(seconds);
    await once(child, 'message');
  };
  const person = { user: 'alice', password: 'any' };
  const target = {
    issuer: ready.issuer,
    processes: [ready.issuer] as const,
    client,
    second,
    native,
    person,
    pass,
    elsewhere: () => ({}),
    seen: new Set<string>(),
  };
  return { target, close: () => void child.kill() };
}

/** The server that `npm run attack` names. */
export function givenServer(): Target | undefined {
  const text = process.env['ATTACK_TARGET'];
  if (text === undefined) return undefined;
  const given = JSON.parse(text) as Omit<Target, 'processes' | 'pass' | 'elsewhere' | 'seen'> & { readonly also: readonly string[] };
  const { origin } = new URL(given.issuer);
  return {
    ...given,
    processes: [origin, ...given.also],
    pass: (seconds) => delay(seconds * 1_000),
    elsewhere: () => ({}),
    seen: new Set(),
  };
}
