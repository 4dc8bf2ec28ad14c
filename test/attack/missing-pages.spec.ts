import { mintToken } from '../../src/platform/kernel/token.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { post, request, type HttpAnswer } from '../support/http.js';

const POOL = 8;
/** Of one caller: half of the three quarters of the pool that pages and fields may take. */
const TURNS = 3;
const PER_ADDRESS = 10;
const ASKED = 40;

/** The page of an unknown address looks up the session, for its navigation: that is work like that of any other page. */
describe('pages that do not exist', () => {
  let app: TestApp;
  beforeAll(async () => {
    const env = {
      TRUST_PROXY: '1',
      WORK_PER_ADDRESS: String(PER_ADDRESS),
      DATABASE_POOL_SIZE: String(POOL),
      DATABASE_LOCK_MS: '60000',
      DATABASE_STATEMENT_SECONDS: '120',
    };
    app = await createTestApp({ env });
  });
  afterAll(() => app.close());

  const open = (path: string): Promise<HttpAnswer> =>
    request(`${app.url}${path}`, {
      headers: { accept: 'text/html', cookie: `sluice=${mintToken('sluice_st')}`, 'x-forwarded-for': '198.51.100.1' },
    });

  it.each([
    ['/dashboard/nowhere', 404],
    ['/dashboard/webhooks/1/test', 405],
  ])('%s: takes no more slots and connections than other pages', async (path, expected) => {
    const client = await app.pool.connect();
    await client.query('BEGIN; LOCK TABLE session IN ACCESS EXCLUSIVE MODE');
    const lookUps = async (): Promise<number> =>
      (await client.query<{ n: number }>("SELECT count(*)::int AS n FROM pg_locks WHERE relation = 'session'::regclass AND NOT granted"))
        .rows[0]?.n ?? 0;
    let answered = 0;
    const asked: Promise<HttpAnswer>[] = [];
    try {
      for (let n = 0; n < ASKED; n++) asked.push(open(path).finally(() => answered++));
      await eventually(async () => (await lookUps()) >= TURNS);
      await eventually(() => answered >= ASKED - PER_ADDRESS);
      expect(await lookUps()).toBe(TURNS);
      const other = await post(`${app.url}/graphql`, { query: '{ globals { network } }' }, { 'x-forwarded-for': '198.51.100.2' });
      expect(other.status).toBe(200);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([expected]));
  });
});
