import { ApiKeyService } from '../../src/access/api-key/index.js';
import { CallService } from '../../src/access/call/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { graphql, type CredentialHeaders } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';

const MAKE_A_KEY = 'mutation { apiKeyCreate(input: { name: "x" }) { apiKeySecret } }';
const INVOICE = 'mutation ($id: WalletId!) { lnInvoiceCreate(input: { walletId: $id, amount: 1 }) { errors { code } } }';

describe('the usage of an API key, for its owner', () => {
  let app: TestApp;
  let alice: Person;

  beforeAll(async () => {
    app = await createTestApp();
    alice = await new Fixture(app).user();
  });
  afterAll(() => app.close());

  const keys = (): ApiKeyService => app.get(ApiKeyService);
  const create = async (...scopes: string[]): Promise<{ id: string; as: CredentialHeaders }> => {
    const outcome = await keys().create({ userId: alice.userId, name: 'a key', scopes, expireInDays: 1 });
    if (outcome.kind !== 'created') throw new Error(outcome.kind);
    return { id: outcome.apiKey.id, as: { 'x-api-key': outcome.secret } };
  };
  const ask = async (as: CredentialHeaders): Promise<number> => {
    const response = await fetch(`${app.url}/graphql?query=${encodeURIComponent('{ __typename }')}`, { headers: as });
    await response.arrayBuffer();
    return response.status;
  };
  const told = async (id: string): Promise<unknown[]> =>
    (await app.get(CallService).list('api-key', [id])).map(({ operation, outcome, count }) => [operation, outcome, count]);
  const lastRefusal = async (id: string): Promise<string | null | undefined> => (await keys().find(alice.userId, id))?.lastRefusal;

  describe('lastUsedAt', () => {
    it('is stored within seconds, by a few writes for many requests', async () => {
      const { id, as } = await create('read');
      await app.pool.query(`
        CREATE SEQUENCE api_key_writes;
        CREATE FUNCTION count_api_key_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('api_key_writes'); RETURN NULL; END $$;
        CREATE TRIGGER count_api_key_write AFTER UPDATE ON api_key FOR EACH STATEMENT EXECUTE FUNCTION count_api_key_write()`);
      const since = performance.now();
      await Promise.all(Array.from({ length: 100 }, () => ask(as)));
      const used = await eventually(async () => ((await keys().find(alice.userId, id))?.lastUsedAt ? keys().find(alice.userId, id) : null));
      expect(used).toMatchObject({ lastUsedAddress: '127.0.0.1', lastRefusedAt: null, lastRefusal: null });
      const { rows } = await app.pool.query<{ writes: bigint }>('SELECT last_value AS writes FROM api_key_writes');
      // At most one a second.
      expect(Number(rows[0]?.writes)).toBeLessThan(10 + (performance.now() - since) / 1_000);
    });
  });

  describe('the cause of a refusal', () => {
    it('is the missing scope, with the operation', async () => {
      const { id, as } = await create('read');
      await graphql(app.url, MAKE_A_KEY, {}, as);
      expect(await told(id)).toEqual([['apiKeyCreate', 'NOT_AUTHORIZED', 1]]);
      expect(await lastRefusal(id)).toBe('session-only');
      await graphql(app.url, INVOICE, { id: alice.wallets.BTC }, as);
      expect((await told(id))[0]).toEqual(['lnInvoiceCreate', 'scope:receive write', 1]);
      expect(await lastRefusal(id)).toBe('scope:receive write');
      const stranger = await new Fixture(app).user();
      expect(await keys().find(stranger.userId, id)).toBeNull();
    });

    it('is revoked after the revocation, one row for all requests', async () => {
      const { id, as } = await create('read');
      await keys().revoke(alice.userId, id);
      expect([await ask(as), await ask(as), await ask(as)]).toEqual([401, 401, 401]);
      expect(await told(id)).toEqual([['API', 'revoked', 3]]);
      expect(await lastRefusal(id)).toBe('revoked');
    });

    it('is expired after the expiry', async () => {
      const { id, as } = await create('read');
      await app.pool.query('UPDATE api_key SET expires_at = now() WHERE id = $1', [id]);
      expect(await ask(as)).toBe(401);
      expect(await told(id)).toEqual([['API', 'expired', 1]]);
      expect(await keys().find(alice.userId, id)).toMatchObject({ expired: true, lastRefusal: 'expired' });
    });
  });
});
