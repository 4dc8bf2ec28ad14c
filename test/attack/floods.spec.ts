import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiKeyService } from '../../src/access/api-key/index.js';
import { QUEUE_LIMITS } from '../../src/edge/http/index.js';
import { PriceService, type PriceQuote, type PriceSource } from '../../src/money/price/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { REAL_HASHES, createTestApp, type TestApp } from '../support/app.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { post, type HttpAnswer } from '../support/http.js';
import { OtherCaller, record } from '../support/other-caller.js';
import { Pipeline } from '../support/pipeline.js';
import { NEVER_MS } from '../support/queue-limits.js';
import { RawSocket } from '../support/raw-socket.js';

const ME = { query: '{ me { id } }' };
const STATUS = {
  query: 'query ($i: LnInvoicePaymentStatusByHashInput!) { lnInvoicePaymentStatusByHash(input: $i) { status } }',
  variables: { i: { paymentHash: 'ab'.repeat(32) } },
};
const CREATE = 'mutation ($i: LnInvoiceCreateInput!) { lnInvoiceCreate(input: $i) { invoice { paymentHash } errors { code } } }';
const FOR_OTHER = `mutation ($i: LnInvoiceCreateOnBehalfOfRecipientInput!) { lnInvoiceCreateOnBehalfOfRecipient(input: $i) { errors { code } } }`;
const PAY = 'mutation ($i: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $i) { status errors { code } } }';
const SEND = 'mutation ($i: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $i) { status errors { code } } }';
const LANGUAGE = 'mutation ($i: UserUpdateLanguageInput!) { userUpdateLanguage(input: $i) { errors { code } } }';
const FILE = 'query ($w: [WalletId!]!) { me { defaultAccount { csvTransactions(walletIds: $w) } } }';
const UPDATES = 'subscription { myUpdates { me { defaultAccount { transactions(first: 100) { edges { node { id memo status } } } } } } }';
const price = (sats: number): string =>
  `subscription { price(input: { amount: ${sats}, amountCurrencyUnit: BTCSAT, priceCurrencyUnit: USDCENT }) { price { base } } }`;
const times = (count: number, text: string): string => Array<string>(count).fill(text).join(' ');
const each = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
/** The whole flood is for the record; a quarter of it shows the same in a test. */
const most = (count: number): number => (process.env['FLOODS'] ? count : Math.ceil(count / 4));

let centsPerBtc = 6_000_000n;
class TestPrice implements PriceSource {
  findQuote(): Promise<PriceQuote> {
    return Promise.resolve({ centsPerBtc, at: new Date(), spreadPpm: 0, expiresAt: new Date(Date.now() + 600_000) });
  }
}

/**
 * Each flood is as large as the limits of a server permit, from many addresses and accounts. What counts is another caller: every request
 * of it is answered while the flood lasts. `FLOODS=<file>` records how fast.
 */
describe('another caller is answered beside', () => {
  let app: TestApp;
  let fixture: Fixture;
  let crowd: Person[];
  let merchant: Person;
  let other: Person;
  const sockets: RawSocket[] = [];

  beforeAll(async () => {
    jest.replaceProperty(QUEUE_LIMITS, 'ageMs', NEVER_MS);
    app = await createTestApp({
      settings: { PasswordSettings: REAL_HASHES },
      price: TestPrice,
      env: {
        TRUST_PROXY: '1',
        DATABASE_POOL_SIZE: '16',
        DATABASE_LOCK_MS: '500',
        WORK_PER_ADDRESS: '64',
        WORK_PER_PRINCIPAL: '64',
        LOG_LEVEL: 'error',
        THROTTLE_REGISTRATION: '1000/60',
      },
    });
    fixture = new Fixture(app);
    // One after the other: hashes are costly here, and one that waits too long for its turn is refused.
    crowd = [];
    for (let n = 0; n < 16; n++) crowd.push(await fixture.user());
    [merchant, other] = [await fixture.user({ sats: 10_000 }), await fixture.user({ sats: 10_000 })];
  });
  afterEach(async () => {
    await Promise.all(sockets.splice(0).map((raw) => raw.leave()));
    await fixture.expectBalanced();
  });
  afterAll(() => app.close());

  let addresses = 0;
  const elsewhere = (): Record<string, string> => {
    addresses++;
    return { 'x-forwarded-for': `198.${18 + (addresses >> 16)}.${(addresses >> 8) & 255}.${addresses & 255}` };
  };
  const ask = (body: object | string, headers: object): Promise<HttpAnswer> => post(`${app.url}/graphql`, body, { ...headers });
  const refusalOf = (isAnswered: boolean, { text }: HttpAnswer): string | null => (isAnswered ? null : text);
  const me = async (person: Person, address = elsewhere(), scope: 'read' | 'all' = 'read'): Promise<string | null> => {
    const answer = await ask(ME, { ...address, ...person.as(scope) });
    return refusalOf(answer.body?.data?.me?.id === person.userId, answer);
  };

  /** Runs a flood beside another caller, who is answered each time, and at least once before the flood ends. */
  async function beside(
    name: string,
    flood: (caller: OtherCaller) => Promise<unknown>,
    asking?: () => Promise<string | null>,
  ): Promise<void> {
    // A new person each time: a credential has 1,200 calls a minute, which a fast machine makes.
    const person = await fixture.user();
    const caller = new OtherCaller(asking ?? (() => me(person)));
    await flood(caller);
    const during = caller.answers;
    const figures = await caller.stop();
    record(name, figures);
    expect([figures.refused, during > 0]).toEqual([[], true]);
  }

  /** Locks what the statement locks while `work` runs. */
  async function whileLocked(statement: string, work: () => Promise<unknown>): Promise<void> {
    const client = await app.pool.connect();
    await client.query(`BEGIN; ${statement}`);
    try {
      await work();
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }
  const admitted = async (headers: Record<string, string>, person?: Person): Promise<RawSocket> => {
    const raw = await RawSocket.admitted(app.url, person?.as('read'), { headers });
    sockets.push(raw);
    return raw;
  };
  const settled = (asked: readonly Promise<unknown>[]): Promise<unknown> => Promise.allSettled(asked);

  it('queries of many addresses that wait for a lock', () =>
    beside('queries that wait for a lock', async (caller) => {
      let asked: Promise<unknown>[] = [];
      await whileLocked('LOCK TABLE invoice IN ACCESS EXCLUSIVE MODE', async () => {
        asked = each(most(8), elsewhere).flatMap((headers) => each(64, () => ask(STATUS, headers)));
        await caller.answered(10);
      });
      await settled(asked);
    }));

  it('mutations of many accounts whose idempotency keys wait for a lock', () =>
    beside('idempotency keys that wait for a lock', async (caller) => {
      let asked: Promise<unknown>[] = [];
      await whileLocked('LOCK TABLE idempotency IN ACCESS EXCLUSIVE MODE', async () => {
        asked = crowd.flatMap((person, n) =>
          each(most(30), (key) =>
            ask(
              { query: CREATE, variables: { i: { walletId: person.wallets.BTC, amount: 1 } } },
              { ...elsewhere(), ...person.as('receive'), 'idempotency-key': `locked ${n} ${key}` },
            ),
          ),
        );
        await caller.answered(10);
      });
      await settled(asked);
    }));

  it('200 mutations at once of each of 16 accounts, half of them waiting for a lock', async () => {
    const accounts = crowd.map(({ accountId }) => `'${accountId}'`).join(',');
    const keys = await Promise.all(
      crowd.map(({ userId }) =>
        Promise.all(
          each(4, async (n) => {
            const made = await app.get(ApiKeyService).create({ userId, name: `flood ${n}`, scopes: ['write'], expireInDays: null });
            return made.kind === 'created' ? made.secret : '';
          }),
        ),
      ),
    );
    const flood = async (caller: OtherCaller): Promise<void> => {
      let asked: Promise<unknown>[] = [];
      await whileLocked(`SELECT FROM account WHERE id IN (${accounts}) FOR UPDATE`, async () => {
        asked = crowd.flatMap((person, n) =>
          each(most(200), (i) => {
            const headers = { ...elsewhere(), 'x-api-key': keys[n]?.[i % 4] };
            if (i % 2) return ask({ query: LANGUAGE, variables: { i: { language: 'en' } } }, headers);
            const payment = { walletId: person.wallets.BTC, recipientWalletId: merchant.wallets.BTC, amount: 1 };
            return ask({ query: SEND, variables: { i: payment } }, headers);
          }),
        );
        await caller.answered(10);
      });
      await settled(asked);
    };
    const pay = async (): Promise<string | null> => {
      const variables = { i: { walletId: other.wallets.BTC, recipientWalletId: merchant.wallets.BTC, amount: 1 } };
      const answer = await ask({ query: SEND, variables }, { ...elsewhere(), ...other.as('write') });
      return refusalOf(answer.body?.data?.intraLedgerPaymentSend.status === 'SUCCESS', answer);
    };
    await beside('200 mutations of each of 16 accounts: me', flood);
    await beside('200 mutations of each of 16 accounts: pay', flood, pay);
  });

  it('200 held payments of one merchant: his other calls too', async () => {
    const invoices = await Promise.all(each(most(200), () => fixture.outside(10, { hold: true, routeFeeMsat: 0n })));
    const paying: Promise<HttpAnswer>[] = [];
    const here = elsewhere();
    /** Forty at once need one account: on a slow machine one of them may wait for its lock for too long, and asks again. */
    const payOne = async (paymentRequest: string): Promise<HttpAnswer> => {
      const variables = { i: { walletId: merchant.wallets.BTC, paymentRequest } };
      const answer = await ask({ query: PAY, variables }, { ...here, ...merchant.as('all') });
      return answer.text.includes('PAYMENT_BUSY') ? payOne(paymentRequest) : answer;
    };
    const pay = async (): Promise<void> => {
      while (paying.length < invoices.length) {
        const burst = invoices.slice(paying.length, paying.length + 40);
        for (const { paymentRequest } of burst) paying.push(payOne(paymentRequest));
        await eventually(async () => {
          const { rowCount } = await app.pool.query(`SELECT FROM payment WHERE state = 'in_flight'`);
          return rowCount === paying.length;
        });
      }
    };
    const asMerchant = (): Promise<string | null> => me(merchant, here, 'all');
    await beside('200 held payments: the merchant himself', async (caller) => (await pay(), await caller.answered(5)), asMerchant);
    await beside('200 held payments: released', async (caller) => {
      await Promise.all(invoices.map(({ paymentHash }) => fixture.release(paymentHash)));
      await caller.answered(1);
    });
    for (const { body } of await Promise.all(paying)) expect(body.data.lnInvoicePaymentSend.status).toBe('SUCCESS');
  });

  it('repeats that wait for the answer of their first request', async () => {
    const { paymentRequest, paymentHash } = await fixture.outside(10, { hold: true, routeFeeMsat: 0n });
    const headers = { ...merchant.as('write'), 'idempotency-key': 'repeated' };
    const pay = { query: PAY, variables: { i: { walletId: merchant.wallets.BTC, paymentRequest } } };
    let repeats: Promise<HttpAnswer>[] = [];
    await beside('repeats that wait', async () => {
      for (let burst = 0; burst < most(10); burst++) {
        repeats.push(...each(40, () => ask(pay, { ...elsewhere(), ...headers })));
        await delay(150);
      }
      await fixture.release(paymentHash);
      await settled(repeats);
    });
    const statuses = (await Promise.all(repeats)).map(({ body }) => (body.data?.lnInvoicePaymentSend.status as string) ?? 'refused');
    expect(statuses.filter((status) => status === 'SUCCESS').length).toBeGreaterThan(0);
    repeats = [];
  });

  it('long documents that the process has not cached', () =>
    beside('fresh documents', async () => {
      const pipelines = await Promise.all(each(most(16), () => Pipeline.open(app.url)));
      for (let round = 0; round < 6; round++) {
        pipelines.forEach((pipeline, n) =>
          pipeline.send(
            each(8, (i) => ({ query: `query heavy${round}x${n}x${i} { ${times(100, 'globals { network }')} }` })),
            elsewhere(),
          ),
        );
        await eventually(() => pipelines.every(({ answers }) => answers.length >= 8 * (round + 1)));
      }
      await Promise.all(pipelines.map((pipeline) => pipeline.close()));
    }));

  it('costly queries of known documents', async () => {
    const pages = each(16, (n) => `p${n}: invoices(first: 100) { edges { node { paymentRequest paymentHash } } }`).join(' ');
    for (const person of crowd.slice(0, 4)) await Promise.all(each(20, () => person.invoice(1)));
    await beside('costly queries', () =>
      settled(
        crowd
          .slice(0, 4)
          .flatMap((person) =>
            each(most(40), () => ask({ query: `{ me { defaultAccount { ${pages} } } }` }, { ...elsewhere(), ...person.as('read') })),
          ),
      ),
    );
  });

  it('long bodies of JSON', () =>
    beside('long bodies', () =>
      settled(
        crowd.flatMap((person) =>
          each(most(16), () =>
            ask(`{"query":"{ globals { network } }","variables":{"pad":"${'x'.repeat(250_000)}"}}`, {
              ...elsewhere(),
              ...person.as('read'),
            }),
          ),
        ),
      ),
    ));

  it('bodies that stall half-way', () =>
    beside('stalled bodies', async (caller) => {
      const open = each(most(20), elsewhere).flatMap((headers) =>
        each(40, () => {
          const socket = connect(Number(new URL(app.url).port), '127.0.0.1').on('error', () => undefined);
          const head = `POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nx-forwarded-for: ${headers['x-forwarded-for']}\r\n`;
          socket.write(`${head}content-length: 250000\r\n\r\n${' '.repeat(200_000)}`);
          return socket;
        }),
      );
      await caller.answered(5);
      for (const socket of open) socket.destroy();
    }));

  it('pipelined requests of connections that close before the answers', () =>
    beside('pipelined requests', async () => {
      for (let attack = 0; attack < 5; attack++) {
        const pipelines = await Promise.all(each(10, () => Pipeline.open(app.url)));
        for (const pipeline of pipelines) pipeline.send(Array<object>(130).fill({ query: '{ globals { network } }' }), elsewhere());
        await delay(200);
        await Promise.all(pipelines.map((pipeline) => pipeline.close()));
      }
    }));

  it('events of many subscriptions of one account', async () => {
    const flooded = crowd[0] as Person;
    for (let n = 0; n < 5; n++) {
      const raw = await admitted(elsewhere(), flooded);
      for (let id = 0; id < 50; id++) raw.subscribe(String(id), UPDATES);
    }
    await delay(1_000);
    await beside('events of subscriptions', async (caller) => {
      const variables = { i: { walletId: merchant.wallets.BTC, recipientWalletId: flooded.wallets.BTC, amount: 1 } };
      for (let n = 0; n < 10; n++) await ask({ query: SEND, variables }, { ...elsewhere(), ...merchant.as('write') });
      await caller.answered(10);
    });
  });

  it('long messages of subscriptions that stay open', async () => {
    const operations = (name: string): string =>
      each(30, (n) => `subscription ${name}${n} { realtimePrice(input: { currency: "USD" }) { errors { code } } }`).join('\n');
    await beside('memory of subscriptions', async (caller) => {
      for (let address = 0; address < most(10); address++) {
        const headers = elsewhere();
        for (let n = 0; n < 20; n++) {
          const raw = await admitted(headers);
          for (let id = 0; id < 5; id++) {
            const name = `A${address}x${n}x${id}n`;
            const payload = { query: operations(name), operationName: `${name}1`, variables: { unused: 'x'.repeat(10_000) } };
            raw.send({ id: String(id), type: 'subscribe', payload });
          }
        }
      }
      await caller.answered(5);
    });
  });

  it('many different feeds of prices', async () => {
    for (let address = 0; address < most(10); address++) {
      const headers = elsewhere();
      for (let n = 0; n < 20; n++) {
        const raw = await admitted(headers);
        for (let id = 0; id < 5; id++) raw.subscribe(String(id), price(address * 100 + n * 5 + id + 1));
      }
    }
    await delay(1_000);
    await beside('feeds of prices', async () => {
      for (let tick = 0; tick < 5; tick++) {
        centsPerBtc += 100_000n;
        app.get(PriceService).refresh();
        await delay(500);
      }
    });
  });

  it('messages of many sockets', async () => {
    const raws = await Promise.all(each(4, elsewhere).flatMap((headers) => each(20, () => admitted(headers))));
    await beside('socket messages', async () => {
      for (let n = 0; n < 50; n++) {
        for (const raw of raws) raw.send({ type: 'ping', payload: { n, pad: 'x'.repeat(10_000) } });
        await delay(20);
      }
    });
  });

  it('files of long histories', async () => {
    const readers = crowd.slice(0, 4);
    for (const person of readers)
      await app.pool.query(
        `INSERT INTO transaction (id, account_id, wallet_id, currency, direction, status, amount, memo, external_id_by_owner, initiation, settlement, created_at, settled_at)
         SELECT gen_random_uuid(), $1, $2, 'USD', 'SEND', 'FAILURE', -1, repeat('m', 300), false, 'ln', 'ln', t, t
           FROM generate_series(1, 4900) AS n, LATERAL (SELECT date_trunc('milliseconds', now()) - make_interval(secs => n)) AS at(t)`,
        [person.accountId, person.wallets.USD],
      );
    await beside('history files', () =>
      settled(
        readers.flatMap((person) =>
          each(most(8), () => ask({ query: FILE, variables: { w: [person.wallets.USD] } }, { ...elsewhere(), ...person.as('read') })),
        ),
      ),
    );
  });

  it('sign-ins of 250 addresses: another person signs in too', async () => {
    const signIn = ({ email }: Person, password: string): Promise<HttpAnswer> =>
      post(`${app.url}/auth/login`, { email, password }, elsewhere());
    await beside('sign-ins of 250 addresses', () => settled(each(most(250), () => signIn(merchant, 'not the password'))));
    await beside(
      'sign-ins of 250 addresses: a sign-in',
      () => settled(each(most(250), () => signIn(merchant, 'not the password'))),
      async () => {
        const answer = await signIn(other, PASSWORD);
        return refusalOf(answer.status === 200, answer);
      },
    );
  });

  it('invoices that callers without a credential request', async () => {
    // Eight workers an address, one request after the other: a single burst would be over before another caller's first answer.
    const worker = async (headers: Record<string, string>, person: Person): Promise<void> => {
      const invoice = { query: FOR_OTHER, variables: { i: { recipientWalletId: person.wallets.BTC, amount: 1 } } };
      for (let n = 0; n < 5; n++) await ask(invoice, headers);
    };
    await beside('anonymous invoices', () =>
      settled(
        crowd.slice(0, most(10)).flatMap((person) => {
          const headers = elsewhere();
          return each(8, () => worker(headers, person));
        }),
      ),
    );
  });
});
