import type { INestApplicationContext } from '@nestjs/common';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { COMMANDS } from '../../src/operator/act/commands.js';
import type { Command } from '../../src/operator/command/index.js';
import { OAuthCleanupJob } from '../../src/access/oauth/cleanup.job.js';
import { SigningKeys } from '../../src/access/oauth/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { request } from '../support/http.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture } from '../support/fixture.js';

/** Every test uses a process that has not read keys yet. */
let first: TestApp;
const running: TestApp[] = [];
const another = async (env: Readonly<Record<string, string>> = {}): Promise<TestApp> => {
  const app = await createTestApp({ beside: first, env });
  running.push(app);
  return app;
};

beforeAll(async () => {
  first = await createTestApp();
});
afterEach(async () => {
  for (const app of running.splice(0)) await app.close();
});
afterAll(() => first.close());

const published = async ({ url }: TestApp, wanted = 'RS256'): Promise<string[]> =>
  (await request(`${url}/.well-known/jwks.json`)).body.keys.flatMap(({ kid, alg }: { kid: string; alg: string }) =>
    alg === wanted ? [kid] : [],
  );
const age = (days: number): Promise<unknown> =>
  first.pool.query('UPDATE signing_key SET signs_from = signs_from - make_interval(days => $1)', [days]);

function commandNamed(wanted: string): Command {
  const command = COMMANDS.find(({ name }) => name === wanted);
  if (!command) throw new Error(`There is no command "${wanted}"`);
  return command;
}

/** The key that signs now; checks the signature against the published key set. */
async function signer(app: TestApp): Promise<string> {
  const shop = await newOAuthApp(app);
  const person = await new Fixture(app).user();
  const { id_token: idToken = '' } = await shop.connect(person, { scope: 'openid' }, new BrowserSession(app.url));
  await jwtVerify(idToken, createLocalJWKSet((await request(`${app.url}/.well-known/jwks.json`)).body));
  return decodeProtectedHeader(idToken).kid ?? '';
}

it('of one algorithm do not end those of another', async () => {
  const ofCurve = async (): Promise<unknown> =>
    (await first.pool.query(`SELECT kid FROM signing_key WHERE public_jwk ->> 'alg' = 'ES256'`)).rows;
  const before = await ofCurve();
  await first.pool.query(`UPDATE signing_key SET signs_from = signs_from - interval '3 days' WHERE public_jwk ->> 'alg' = 'ES256'`);
  await first.get(OAuthCleanupJob).sweep();
  expect(await ofCurve()).toEqual(before);
});

it('rotate on a schedule: published a day before they sign, and a day after', async () => {
  const [old = ''] = await published(await another());
  await age(91);
  await first.get(OAuthCleanupJob).sweep();
  await first.get(OAuthCleanupJob).sweep();
  const early = await another();
  const both = await published(early);
  expect(both).toHaveLength(2);
  expect(await signer(early)).toBe(old);

  await age(1);
  const late = await another();
  const next = await signer(late);
  expect(next).not.toBe(old);
  expect((await published(late)).sort()).toEqual([...both].sort());

  await age(2);
  await first.get(OAuthCleanupJob).sweep();
  expect(await published(await another())).toEqual([next]);
});

it('rotate at once by the operator’s command, on running processes, and old signatures stay valid', async () => {
  const running = await another();
  const before = await published(running);
  const shop = await newOAuthApp(running);
  const person = await new Fixture(running).user();
  const { id_token: oldToken = '' } = await shop.connect(person, { scope: 'openid' }, new BrowserSession(running.url));
  const old = decodeProtectedHeader(oldToken).kid;
  const said: string[] = [];
  await commandNamed('keys rotate').run(
    { get: (token: never) => first.get(token) } as unknown as INestApplicationContext,
    { positionals: [], options: {} },
    (line) => said.push(line),
  );
  const kid = /^Signing key (\S+) \(RS256\) is published/.exec(said[0] ?? '')?.[1] ?? '';
  await eventually(async () => (await published(running)).includes(kid));
  expect((await published(running)).sort()).toEqual([...before, kid].sort());
  // Every process publishes the key first; it signs when all have read it.
  const due = 'SELECT FROM signing_key WHERE kid = $1 AND signs_from <= now()';
  await eventually(async () => (await first.pool.query(due, [kid])).rowCount === 1);
  await eventually(async () => (await signer(running)) === kid);
  expect(kid).not.toBe(old);
  await jwtVerify(oldToken, createLocalJWKSet((await request(`${running.url}/.well-known/jwks.json`)).body));
});

it('of a scheduled rotation that has not begun are replaced by the operator’s', async () => {
  await age(91);
  await first.get(OAuthCleanupJob).sweep();
  const before = await published(await another());
  const { rows } = await first.pool.query(`SELECT kid FROM signing_key WHERE signs_from > now() + interval '1 hour'`);
  expect(rows).toHaveLength(3);
  await first.get(SigningKeys).rotateNow();
  const after = await published(await another());
  for (const { kid } of rows) expect(after).not.toContain(kid);
  expect(after).toHaveLength(before.length);
});

it('are stored encrypted: the database alone cannot sign', async () => {
  const { rows } = await first.pool.query('SELECT row_to_json(k)::text AS text, private_box FROM signing_key k');
  for (const { text, private_box: box } of rows as { text: string; private_box: Buffer }[]) {
    expect(text).not.toMatch(/"(?:d|p|q|dp|dq|qi)":/);
    expect(box.includes('"kty"')).toBe(false);
  }
});

describe('a secret that replaces another', () => {
  const SECRET = 'a secret for tests, long enough to be one';
  const [NEXT, LAST] = ['the secret that came after the first one', 'and one that knows nothing of the others'];
  const codes = async (): Promise<number | null> => (await first.pool.query('SELECT FROM secret_key_code')).rowCount;
  const refusal = /SECRET_KEY is not the key that this database was used with\. Set that one, or SECRET_KEY_PREVIOUS to it;/;

  it('is refused at the start of a server and of a command unless it names the other', async () => {
    await expect(another({ SECRET_KEY: LAST })).rejects.toThrow(refusal);
    await expect(another({ SECRET_KEY: LAST, SECRET_KEY_PREVIOUS: NEXT })).rejects.toThrow(refusal);
    expect(await codes()).toBe(1);
  });

  it('decrypts the signing keys with the other once, and processes that have the other alone may start until none names it', async () => {
    const before = await published(await another());
    const rotating = { SECRET_KEY: NEXT, SECRET_KEY_PREVIOUS: SECRET };
    expect(before).toContain(await signer(await another(rotating)));
    await another(rotating);
    expect(await codes()).toBe(2);
    await another({ SECRET_KEY: NEXT });
    await expect(another({ SECRET_KEY: SECRET })).rejects.toThrow(refusal);
  });

  it('is taken where the operator lets the database forget a lost one: a new key signs, and old signatures stay valid', async () => {
    const before = await published(await another({ SECRET_KEY: NEXT }));
    await first.pool.query('DELETE FROM secret_key_code');
    const stranger = await another({ SECRET_KEY: LAST });
    const made = await signer(stranger);
    expect(before).not.toContain(made);
    expect((await published(stranger)).sort()).toEqual([...before, made].sort());
  });
});
