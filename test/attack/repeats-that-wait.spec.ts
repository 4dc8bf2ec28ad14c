import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { Database } from '../../src/platform/database/index.js';
import { WorkInProgress } from '../../src/edge/http/index.js';
import { IdempotencyService } from '../../src/edge/idempotency/idempotency.service.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { calls } from '../support/statements.js';

const REPEATS = 50;

/** Repeats that wait take no slot and no turn, so thousands may wait: their polls must not occupy the database. */
describe('repeats of a request that still runs', () => {
  let app: TestApp;
  let service: IdempotencyService;
  let asked = 0;

  beforeAll(async () => {
    app = await createTestApp();
    service = app.get(IdempotencyService);
    const database = app.get(Database);
    const query = database.query.bind(database);
    jest.spyOn(database, 'query').mockImplementation(((statement: { readonly text: string }, ...rest: never[]) => {
      if (calls(statement, 'idempotency_claim')) asked++;
      return (query as (...args: unknown[]) => unknown)(statement, ...rest);
    }) as never);
  });
  beforeEach(() => (asked = 0));
  afterAll(() => app.close());

  const begin = async (): Promise<{ key: [Buffer, Buffer]; end: () => Promise<void> }> => {
    const key: [Buffer, Buffer] = [randomBytes(32), randomBytes(32)];
    const verdict = await service.claim(...key);
    if (verdict.kind !== 'mine') throw new Error(verdict.kind);
    return { key, end: () => service.keep(verdict.claim, { data: { done: true } }) };
  };

  it('share one lookup', async () => {
    const { key, end } = await begin();
    const repeats = Array.from({ length: REPEATS }, () => service.claim(...key));
    await eventually(() => asked > 1 + REPEATS); // each has polled once, and waits
    await end();
    asked = 0;
    const verdicts = await Promise.all(repeats);
    expect(new Set(verdicts.map(({ kind }) => kind))).toEqual(new Set(['replay']));
    expect(asked).toBeLessThanOrEqual(1);
  });

  it('stop polling when their callers disconnect', async () => {
    const { key, end } = await begin();
    const gone = app.get(WorkInProgress).of(new PassThrough().destroy(), '192.0.2.1');
    expect(await service.claim(...key, gone)).toEqual({ kind: 'running' });
    expect(asked).toBe(2);
    await end();
  });

  it('take over a claim that was released, one of them only', async () => {
    const { key } = await begin();
    const [first, ...others] = Array.from({ length: 3 }, () => service.claim(...key));
    await eventually(() => asked > 4);
    await app.pool.query(`UPDATE idempotency SET claim = NULL, claimed_until = now() WHERE scope = $1`, [key[0]]);
    const mine = await Promise.race([first, ...others]);
    expect(mine).toMatchObject({ kind: 'mine' });
    if (mine?.kind === 'mine') await service.keep(mine.claim, { data: {} });
    const kinds = (await Promise.all([first, ...others])).map((verdict) => verdict?.kind).sort();
    expect(kinds).toEqual(['mine', 'replay', 'replay']);
  });
});
