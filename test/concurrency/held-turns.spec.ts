import { AsyncLocalStorage } from 'node:async_hooks';
import { FairQueue } from '../../src/edge/http/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { graphql } from '../support/graphql.js';
import { post } from '../support/http.js';
import { RawSocket } from '../support/raw-socket.js';

const FILE = 'query ($w: [WalletId!]!) { me { defaultAccount { csvTransactions(walletIds: $w) } } }';
const SEND = 'mutation ($i: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $i) { status transaction { id } } }';
const UPDATES = 'subscription { myUpdates { me { username defaultAccount { id } } } }';

interface HeldTurn {
  readonly name: string;
  hasEnded: boolean;
}

/** A holder that waited for another queue would hold its place for as long as that queue is slow: one slow resource would stop all. */
describe('work that has a turn', () => {
  const held = new AsyncLocalStorage<readonly HeldTurn[]>();
  const nested: string[] = [];
  const used = new Set<string>();
  let app: TestApp;
  let alice: Person;
  let bob: Person;
  const { prototype } = FairQueue;
  const methods = Object.getOwnPropertyDescriptors(prototype);

  beforeAll(async () => {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the queue as `this`
    const run = prototype.run as (this: FairQueue, key: string, work: () => unknown, caller?: unknown) => unknown;
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the queue as `this`
    const enter = prototype.enter as (this: FairQueue, key: string, caller?: unknown) => unknown;
    const note = ({ name }: FairQueue): void => {
      used.add(name);
      for (const other of held.getStore() ?? []) if (!other.hasEnded) nested.push(`${other.name} > ${name}`);
    };
    prototype.run = function (this: FairQueue, key: string, work: () => unknown, caller?: unknown) {
      note(this);
      const turn: HeldTurn = { name: this.name, hasEnded: false };
      const end = (): void => void (turn.hasEnded = true);
      const result = run.call(this, key, () => held.run([...(held.getStore() ?? []), turn], work), caller);
      if (this.name === 'thread') setImmediate(end);
      void Promise.resolve(result).then(end, end);
      return result;
    } as never;
    prototype.enter = function (this: FairQueue, key: string, caller?: unknown) {
      note(this);
      const taken: HeldTurn = { name: this.name, hasEnded: false };
      // What the holder does later belongs to its turn.
      held.enterWith([...(held.getStore() ?? []), taken]);
      const ending = ({ end }: { end: () => void }): { end: () => void } => ({
        end: () => {
          taken.hasEnded = true;
          end();
        },
      });
      const turn = enter.call(this, key, caller) as { end: () => void } | Promise<{ end: () => void }>;
      return turn instanceof Promise ? turn.then(ending) : ending(turn);
    };
    app = await createTestApp();
    const fixture = new Fixture(app);
    [alice, bob] = [await fixture.user({ sats: 1_000 }), await fixture.user()];
  });
  afterAll(async () => {
    await app.close();
    // Later test files of this worker have the same class.
    Object.defineProperties(prototype, methods);
  });

  it('never waits for a turn of another queue: queries, files, payments, events, pages and sign-ins', async () => {
    const raw = await RawSocket.admitted(app.url, bob.as('read'));
    raw.subscribe('1', UPDATES);
    const variables = { i: { walletId: alice.wallets.BTC, recipientWalletId: bob.wallets.BTC, amount: 1 } };
    await eventually(async () => {
      const key = { 'idempotency-key': `key ${Math.random()}` };
      expect((await graphql(app.url, SEND, variables, { ...alice.as('all'), ...key })).errors).toBeUndefined();
      return raw.frames.some(({ type }) => type === 'next');
    });
    expect((await graphql(app.url, FILE, { w: [bob.wallets.BTC] }, bob.as('read'))).errors).toBeUndefined();
    await graphql(app.url, `{ ${Array(60).fill('globals { network }').join(' ')} }`);
    expect((await post(`${app.url}/auth/login`, { email: bob.email, password: PASSWORD })).status).toBe(200);
    const browser = new BrowserSession(app.url);
    expect((await browser.signInFrom('127.0.0.1', { email: bob.email, password: PASSWORD })).status).toBe(303);
    for (const path of ['/dashboard', '/dashboard/history', '/dashboard/history/csv', '/dashboard/send'])
      expect((await browser.get(path)).status).toBe(200);
    await raw.leave();
    expect([...used].sort()).toEqual(['database', 'files', 'hashes', 'thread']);
    expect([...new Set(nested)]).toEqual([]);
  });
});
