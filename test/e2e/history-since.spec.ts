import { Events } from '../../src/platform/events/index.js';
import { HistoryService, type TransactionRow } from '../../src/money/transaction/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';

describe('the changes of histories', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user({ sats: 1_000 }), await fixture.user({ sats: 1_000 })];
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  /** Every change after a cursor, in pages of this size. */
  const readAll = async (from: string | undefined, size: number): Promise<{ changes: TransactionRow[]; cursor: string }> => {
    const changes: TransactionRow[] = [];
    for (let cursor = from; ;) {
      const page = await app.get(HistoryService).since(cursor, size);
      if (!page) throw new Error('The cursor is gone');
      expect(page.events.length).toBeLessThanOrEqual(size);
      changes.push(...page.events);
      if (!page.isMore) return { changes, cursor: page.cursor };
      cursor = page.cursor;
    }
  };
  const brief = ({ status, amount, accountId }: TransactionRow): unknown => [status, Number(amount) / 1_000, accountId === alice.accountId];

  it('are read from a cursor, in the order of their commits, whatever the size of a page', async () => {
    const start = await app.get(Events).presentCursor();
    for (const sats of [1, 2, 3]) await bob.pay((await alice.invoice(sats)).paymentRequest);
    await alice.pay((await fixture.outside(50)).paymentRequest);
    const { changes, cursor } = await readAll(start, 100);
    expect(changes.map(brief)).toEqual(
      expect.arrayContaining([
        ['SUCCESS', 3, true],
        ['SUCCESS', -3, false],
        ['PENDING', -60, true],
      ]),
    );
    expect(changes).toHaveLength(8);
    expect(changes.at(-1)).toMatchObject({ status: 'SUCCESS', accountId: alice.accountId });
    for (const size of [1, 2, 3]) expect((await readAll(start, size)).changes).toEqual(changes);

    expect((await readAll(cursor, 10)).changes).toEqual([]);
    await bob.pay((await alice.invoice(4)).paymentRequest);
    expect((await readAll(cursor, 10)).changes.map(brief)).toEqual(
      expect.arrayContaining([
        ['SUCCESS', -4, false],
        ['SUCCESS', 4, true],
      ]),
    );
  });

  it('begin with the oldest that are kept', async () => {
    const { rows } = await app.pool.query("SELECT FROM event, unnest(topics) topic WHERE topic = 'transaction.changed'");
    expect((await readAll(undefined, 7)).changes).toHaveLength(rows.length);
  });

  it.each(['', 'nonsense', '1', '-1:0', '99999999999999999:0', '1:2:3', '1:9999999999'])(
    'after no cursor of this database (%j) are unknown',
    async (cursor) => {
      expect(await app.get(HistoryService).since(cursor)).toBeUndefined();
    },
  );

  it('after a cursor whose events were deleted are unknown: none is skipped in silence', async () => {
    const cursor = await app.get(Events).presentCursor();
    await bob.pay((await alice.invoice(5)).paymentRequest);
    await app.pool.query('DELETE FROM event_position WHERE position <= $1', [cursor.split(':')[0]]);
    expect(await app.get(HistoryService).since(cursor)).toBeUndefined();
  });
});
