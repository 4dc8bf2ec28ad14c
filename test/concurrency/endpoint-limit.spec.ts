import { MAX_ENDPOINTS } from '../../src/money/webhook/index.js';
import { dataOf } from '../support/graphql.js';
import { atOnce, said, tally, TwoInstances } from './two-instances.js';

const ADD = `mutation ($url: EndpointUrl!) { added: callbackEndpointAdd(input: { url: $url }) { errors { code } id } }`;
const CALLS = 40;

describe('callbackEndpointAdd, called many times at once at two processes', () => {
  let instances: TwoInstances;
  beforeAll(async () => {
    instances = await TwoInstances.start();
    // Calls overlap inside of the statement that counts and inserts.
    await instances.one.pool
      .query(`CREATE FUNCTION lingers() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.05); RETURN NEW; END $$;
      CREATE TRIGGER lingers BEFORE INSERT ON webhook_endpoint FOR EACH ROW EXECUTE FUNCTION lingers()`);
  });
  afterAll(() => instances.close());

  it('adds as many endpoints as an account may have, and no more', async () => {
    const owners = await Promise.all([1, 2].map(() => instances.fixture.user()));
    for (const owner of owners) {
      const session = await instances.fixture.session(owner);
      const answers = await atOnce(CALLS, async (n) => {
        const { added } = await dataOf(instances.url(n), ADD, { url: `https://shop.example/${n}` }, session);
        return said({ status: 'ADDED', ...(added as { errors: { code: string }[] }) });
      });
      expect(tally(answers)).toEqual({ ADDED: MAX_ENDPOINTS, INVALID_INPUT: CALLS - MAX_ENDPOINTS });
      const { rowCount } = await instances.one.pool.query('SELECT FROM webhook_endpoint WHERE account_id = $1', [owner.accountId]);
      expect(rowCount).toBe(MAX_ENDPOINTS);
    }
    expect(await instances.deadlocks()).toBe(0);
  });
});
