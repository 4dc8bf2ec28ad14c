import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { eventually } from '../../src/testing/eventually.js';
import { TimeTravel } from '../support/time-travel.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Attempts } from '../../src/edge/idempotency/index.js';
import { graphql, toItsEnd, type CredentialHeaders } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';
import { post, type HttpAnswer } from '../support/http.js';

let app: TestApp;
let fixture: Fixture;
beforeAll(async () => {
  app = await createTestApp({ env: { PAYMENT_WAIT_SECONDS: '2' } });
  fixture = new Fixture(app);
});
afterEach(() => fixture.expectBalanced());
afterAll(() => app.close());

const HOUR = 3_600;
const PAY = `mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { code message } transaction { id } } }`;
const CREATE_AND_PAY = `mutation ($invoice: LnInvoiceCreateInput!, $payment: LnInvoicePaymentInput!) {
  lnInvoiceCreate(input: $invoice) { invoice { paymentHash } } lnInvoicePaymentSend(input: $payment) { status } }`;
const SEND = `mutation ($input: IntraLedgerPaymentSendInput!) { lnSent: intraLedgerPaymentSend(input: $input) { status errors { code } transaction { id } } }`;

describe('an idempotency key', () => {
  let alice: Person;
  let bob: Person;

  const send = (key: string, amount: number, credential = bob.as('write'), header = 'Idempotency-Key'): ReturnType<typeof graphql> =>
    graphql(
      app.url,
      SEND,
      { input: { walletId: bob.wallets.BTC, recipientWalletId: alice.wallets.BTC, amount } },
      { ...credential, [header]: key },
    );

  /** The latest row as a process leaves it that dies between the payment and the storing of its answer. */
  const loseAnswer = (): Promise<unknown> =>
    app.pool.query(
      "UPDATE idempotency SET state = 'running', answer = NULL, claimed_until = now() - interval '1 second' WHERE created_at = (SELECT max(created_at) FROM idempotency)",
    );

  beforeAll(async () => {
    alice = await fixture.user();
    bob = await fixture.user({ sats: 10_000 });
  });

  it('replays the stored answer and moves the money once, under either header name', async () => {
    const before = await alice.sats();
    const first = await send('one', 100);
    expect(first.data).toMatchObject({ lnSent: { status: 'SUCCESS', errors: [] } });
    expect(await send('one', 100)).toEqual(first);
    expect(await send('one', 100, bob.as('write'), 'X-Idempotency-Key')).toEqual(first);
    expect(await alice.sats()).toBe(before + 100);
  });

  it('answers twenty simultaneous requests with one payment', async () => {
    const before = await alice.sats();
    const answers = await Promise.all(Array.from({ length: 20 }, () => toItsEnd(() => send('twenty', 7))));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await alice.sats()).toBe(before + 7);
  });

  it('belongs to one account and one client', async () => {
    const before = await alice.sats();
    await send('mine', 1);
    await send('mine', 1, bob.as('all'));
    expect(await alice.sats()).toBe(before + 2);
  });

  it('is refused with another request', async () => {
    await send('other', 1);
    expect((await send('other', 2)).errors?.[0]?.extensions).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  });

  it('waits for the first request as long as a payment waits, then returns a conflict', async () => {
    const slow = await fixture.outside(50, { hold: true });
    const pay = (): ReturnType<typeof graphql> =>
      graphql(
        app.url,
        PAY,
        { input: { walletId: bob.wallets.BTC, paymentRequest: slow.paymentRequest } },
        { ...bob.as('write'), 'idempotency-key': 'slow' },
      );
    const answers = await Promise.all([pay(), pay()]);
    const statuses = answers.map(
      ({ data, errors }) =>
        (data as { lnInvoicePaymentSend?: { status: string } } | null)?.lnInvoicePaymentSend?.status ?? errors?.[0]?.extensions?.['code'],
    );
    expect(statuses).toContain('PENDING');
    for (const status of statuses) expect(['PENDING', 'IDEMPOTENCY_IN_PROGRESS']).toContain(status);
    await fixture.release(slow.paymentHash);
  });

  it('replays PENDING after the payment has ended: the transaction shows the final status', async () => {
    const slow = await fixture.outside(50, { hold: true });
    const input = { walletId: bob.wallets.BTC, paymentRequest: slow.paymentRequest };
    const pay = (): ReturnType<typeof graphql> => graphql(app.url, PAY, { input }, { ...bob.as('write'), 'idempotency-key': 'ended' });
    const first = await pay();
    expect(first.data).toMatchObject({ lnInvoicePaymentSend: { status: 'PENDING' } });
    await fixture.release(slow.paymentHash);
    const ask = `query ($paymentHash: PaymentHash!) { me { defaultAccount { walletById(walletId: "${bob.wallets.BTC}") {
      transactionsByPaymentHash(paymentHash: $paymentHash) { status } } } } }`;
    const states = async (): Promise<string> =>
      JSON.stringify((await graphql(app.url, ask, { paymentHash: slow.paymentHash }, bob.as('read'))).data);
    await eventually(async () => (await states()).includes('"SUCCESS"'));
    expect(await pay()).toEqual(first);
  });

  it.each([
    ['too long', 'x'.repeat(256)],
    ['not printable', 'a\tb'],
  ])('that is %s is refused', async (_what, key) => {
    const { errors } = await send(key, 1);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_INPUT' });
  });

  it.each([
    ['Idempotency-Key', ''],
    ['Idempotency-Key', '   '],
    ['X-Idempotency-Key', ''],
  ])('in %s that is "%s" is refused, and nothing is paid: a script may have lost its value', async (header, key) => {
    const before = await bob.sats();
    const { errors } = await send(key, 1, bob.as('write'), header);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await bob.sats()).toBe(before);
  });

  it('is refused beside a different one', async () => {
    const { errors } = await send('a', 1, { ...bob.as('write'), 'X-Idempotency-Key': 'b' });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_INPUT' });
  });

  it.each([
    ['Idempotency-Key', ['twice', 'twice']],
    ['Idempotency-Key', ['one of', 'two']],
    ['X-Idempotency-Key', ['twice', 'twice']],
  ])('in two headers %s is refused, and nothing is paid: %j', async (header, keys) => {
    const before = await bob.sats();
    const body = JSON.stringify({
      query: SEND,
      variables: { input: { walletId: bob.wallets.BTC, recipientWalletId: alice.wallets.BTC, amount: 1 } },
    });
    const answer = await new Promise<string>((resolve, reject) => {
      const sent = request(
        `${app.url}/graphql`,
        { method: 'POST', headers: { 'content-type': 'application/json', ...bob.as('write'), [header]: keys } },
        (response) => void textOf(response).then(resolve, reject),
      );
      sent.on('error', reject).end(body);
    });
    expect(JSON.parse(answer)).toMatchObject({ errors: [{ message: `Send one ${header} header`, extensions: { code: 'INVALID_INPUT' } }] });
    expect(await bob.sats()).toBe(before);
  });

  it('never stores a secret: the replay reports that it was shown', async () => {
    const session = await fixture.session(bob);
    const create = (): ReturnType<typeof graphql> =>
      graphql(
        app.url,
        'mutation { apiKeyCreate(input: { name: "once", scopes: [READ] }) { apiKeySecret apiKey { id } } }',
        {},
        { ...session, 'idempotency-key': 'key' },
      );
    const { data } = await create();
    const secret = (data as { apiKeyCreate: { apiKeySecret: string } }).apiKeyCreate.apiKeySecret;
    expect((await create()).errors?.[0]?.extensions).toMatchObject({ code: 'IDEMPOTENCY_SECRET_WITHHELD' });
    const { rows } = await app.pool.query('SELECT coalesce(answer::text, $1) AS kept FROM idempotency', ['']);
    expect(rows.some(({ kept }: { kept: string }) => kept.includes(secret))).toBe(false);
    const { rows: keys } = await app.pool.query("SELECT count(*)::int AS n FROM api_key WHERE name = 'once'");
    expect(keys).toEqual([{ n: 1 }]);
  });

  it('runs again after a crash during execution, and moves the money once', async () => {
    const before = await alice.sats();
    await send('crash', 33);
    await loseAnswer();
    expect((await send('crash', 33)).data).toMatchObject({ lnSent: { status: 'SUCCESS' } });
    expect(await alice.sats()).toBe(before + 33);
  });

  it('whose answer was lost does not take a payment that another node received for an internal one', async () => {
    const { paymentRequest } = await fixture.outside(50);
    const pay = (): ReturnType<typeof graphql> =>
      graphql(app.url, PAY, { input: { walletId: bob.wallets.BTC, paymentRequest } }, { ...bob.as('write'), 'Idempotency-Key': 'lost' });
    const first = await pay();
    expect(first.data).toMatchObject({ lnInvoicePaymentSend: { status: 'SUCCESS' } });
    await loseAnswer();
    expect(await pay()).toEqual(first);
    // The cancellation of an internally paid invoice would follow the answer.
    await send('after it', 1);
    expect(app.logs.join('')).not.toContain('invoice_cancel');
    expect((await app.pool.query('SELECT FROM job WHERE task = $1', ['invoice_cancel'])).rows).toEqual([]);
  });

  it('is kept for a day, then deleted', async () => {
    const before = await alice.sats();
    await send('old', 5);
    await new TimeTravel(app).idempotencyKeys(23 * HOUR);
    await send('old', 5);
    expect(await alice.sats()).toBe(before + 5);
    await new TimeTravel(app).idempotencyKeys(2 * HOUR);
    await send('old', 5);
    expect(await alice.sats()).toBe(before + 10);
  });

  describe('without an answer, a day after its first use', () => {
    /** The rows as processes leave them that die before they answer, all at one moment. */
    const died = (): Promise<unknown> =>
      app.pool.query("UPDATE idempotency SET state = 'running', answer = NULL, claimed_until = '2020-01-01', created_at = '2020-01-01'");

    it('can be used again, also for other requests', async () => {
      const before = await alice.sats();
      for (const amount of [1, 20, 300]) {
        expect((await send('daily', amount)).data).toMatchObject({ lnSent: { status: 'SUCCESS' } });
        await died();
      }
      expect(await alice.sats()).toBe(before + 321);
    });

    it('lets the next repeat move the money once, over further repeats', async () => {
      await send('late', 1);
      await died();
      const before = await alice.sats();
      const first = await send('late', 50);
      expect(await send('late', 50)).toEqual(first);
      expect(await alice.sats()).toBe(before + 50);
    });
  });

  it('belongs to the caller that runs it, whatever its age', async () => {
    const slow = await fixture.outside(50, { hold: true });
    const variables = {
      invoice: { walletId: bob.wallets.BTC, amount: 4_711 },
      payment: { walletId: bob.wallets.BTC, paymentRequest: slow.paymentRequest },
    };
    const ask = (): ReturnType<typeof graphql> =>
      graphql(app.url, CREATE_AND_PAY, variables, { ...bob.as('write'), 'idempotency-key': 'at it' });
    const invoices = async (): Promise<number> => (await app.pool.query('SELECT 1 FROM invoice WHERE amount_msat = 4711000')).rows.length;
    const first = ask();
    await eventually(async () => (await invoices()) === 1);
    await app.pool.query("UPDATE idempotency SET created_at = now() - interval '25 hours' WHERE claimed_until > now()");
    const second = ask();
    await Promise.all([first, second]);
    expect(await invoices()).toBe(1);
    await fixture.release(slow.paymentHash);
  });

  it('is deleted at the next start, unless a caller runs it', async () => {
    const [gone, used] = [randomBytes(32), randomBytes(32)];
    await app.pool.query(
      `INSERT INTO idempotency (scope, fingerprint, claimed_until, created_at)
       VALUES ($1, '', now() - interval '25 hours', now() - interval '26 hours'), ($2, '', now() + interval '1 minute', now() - interval '26 hours')`,
      [gone, used],
    );
    const other = await createTestApp({ beside: app });
    const left = async (): Promise<Buffer[]> =>
      (await app.pool.query<{ scope: Buffer }>('SELECT scope FROM idempotency WHERE scope IN ($1, $2)', [gone, used])).rows.map(
        ({ scope }) => scope,
      );
    await eventually(async () => (await left()).length === 1);
    expect(await left()).toEqual([used]);
    await other.close();
    await app.pool.query('DELETE FROM idempotency WHERE scope = $1', [used]);
  });

  describe('derives the payment’s id', () => {
    afterEach(() => app.pool.query("DELETE FROM idempotency WHERE state = 'running'"));
    const claim = async (key: Buffer, fingerprint = 'this', settings: readonly string[] = []): Promise<Record<string, unknown>> => {
      const client = await app.pool.connect();
      try {
        for (const setting of settings) await client.query(`SET ${setting}`);
        const { rows } = await client.query<Record<string, unknown>>('SELECT * FROM idempotency_claim($1, $2, 60, 86400)', [
          key,
          Buffer.from(fingerprint),
        ]);
        return rows[0] ?? {};
      } finally {
        client.release(true);
      }
    };

    it('equally for any session settings of two processes', async () => {
      const key = randomBytes(32);
      const { since } = await claim(key);
      expect(since).toMatch(/^\d+\.\d{6}$/);
      for (const settings of [["TimeZone = 'Asia/Kolkata'"], ["DateStyle = 'German'", 'extra_float_digits = -15']]) {
        await app.pool.query('UPDATE idempotency SET claimed_until = now() WHERE scope = $1', [key]);
        expect(await claim(key, 'this', settings)).toMatchObject({ verdict: 'mine', since });
      }
    });

    it('for as long as a repeat arrives within a day', async () => {
      const key = randomBytes(32);
      await claim(key);
      await app.pool.query(
        "UPDATE idempotency SET created_at = now() - interval '25 hours', claimed_until = now() - interval '1 hour' WHERE scope = $1",
        [key],
      );
      const { rows } = await app.pool.query<{ since: string }>(
        'SELECT extract(epoch FROM created_at)::text AS since FROM idempotency WHERE scope = $1',
        [key],
      );
      expect(await claim(key, 'that')).toMatchObject({ verdict: 'conflict' });
      expect(await claim(key)).toMatchObject({ verdict: 'mine', since: rows[0]?.since });
    });
  });

  it('does not store a refusal by a rate limit: the call can be repeated', async () => {
    const create = (i: number): ReturnType<typeof graphql> =>
      graphql(
        app.url,
        `mutation { lnInvoiceCreateOnBehalfOfRecipient(input: { recipientWalletId: "${alice.wallets.BTC}", amount: 1 }) { errors { code } } }`,
        {},
        { 'idempotency-key': `t${i}` },
      );
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => create(i)));
    const throttled = answers.findIndex((answer) => JSON.stringify(answer).includes('TOO_MANY_REQUEST'));
    expect(throttled).toBeGreaterThanOrEqual(0);
    const { rows } = await app.pool.query(
      "SELECT count(*)::int AS n FROM idempotency WHERE answer::text LIKE '%TOO_MANY_REQUEST%' OR (state = 'running' AND claimed_until > now())",
    );
    expect(rows).toEqual([{ n: 0 }]);
  });
});

/** The answer under a key is stored for its repeats, so the cost of the document bounds its length before anything is done. */
describe('a document with an idempotency key', () => {
  const FRAGMENT = `fragment F on PaymentSendPayload { status errors { code message path } transaction {
    id status direction memo createdAt externalId settlementAmount settlementCurrency settlementDisplayAmount settlementDisplayCurrency settlementDisplayFee settlementFee
    settlementPrice { base offset currencyUnit formattedAmount }
    initiationVia { ... on InitiationViaLn { paymentHash paymentRequest } ... on InitiationViaIntraLedger { counterPartyUsername counterPartyWalletId } }
    settlementVia { ... on SettlementViaLn { preImage } ... on SettlementViaIntraLedger { counterPartyUsername counterPartyWalletId preImage } } } }`;

  let alice: Person;
  let bob: Person;
  beforeAll(async () => {
    [alice, bob] = [await fixture.user({ sats: 1_000 }), await fixture.user()];
  });

  const pay = (times: number, key?: string): Promise<HttpAnswer> => {
    const field = 'intraLedgerPaymentSend(input: $i) { ...F }';
    const query = `mutation ($i: IntraLedgerPaymentSendInput!) { ${Array.from({ length: times }, (_, n) => `p${n}: ${field}`).join(' ')} } ${FRAGMENT}`;
    const variables = { i: { walletId: alice.wallets.BTC, recipientWalletId: bob.wallets.BTC, amount: 1 } };
    return post(
      `${app.url}/graphql`,
      { query, variables },
      { ...(alice.as('all') as Record<string, string>), ...(key !== undefined && { 'idempotency-key': key }) },
    );
  };

  it('is refused before execution if its answer could be too long', async () => {
    const keys = async (): Promise<unknown> => (await app.pool.query('SELECT FROM idempotency')).rowCount;
    const [before, kept] = [await bob.sats(), await keys()];
    const { status, body } = await pay(28, 'long');
    expect([status, body.data, body.errors[0].extensions.code]).toEqual([200, undefined, 'QUERY_TOO_COMPLEX']);
    expect(body.errors[0].message).toMatch(/^The document has a cost of \d+; with an idempotency key the limit is 1000/);
    expect([await bob.sats(), await keys()]).toEqual([before, kept]);
    expect((await pay(28)).body.errors).toBeUndefined();
    expect(await bob.sats()).toBe(before + 28);
  });

  it('runs once with ten payments and every field, and is replayed', async () => {
    const before = await bob.sats();
    const [first, second] = [await pay(10, 'ten'), await pay(10, 'ten')];
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    expect(await bob.sats()).toBe(before + 10);
  });
});

/**
 * A process stands still for longer than its lease: a repeat runs the same request, its caller does other things, and then the first run wakes. Its
 * answer is of no use to anyone; its effect must not come again.
 */
describe('a mutation under a key that runs twice', () => {
  let alice: Person;
  let bob: Person;
  let session: CredentialHeaders;
  let keys: string[];
  beforeEach(async () => {
    [alice, bob] = [await fixture.user({ sats: 10_000 }), await fixture.user()];
    session = await fixture.session(alice);
    keys = (await rows('SELECT id FROM api_key WHERE user_id = $1 ORDER BY id', alice.userId)).map(([id]) => String(id));
  });

  const rows = async (text: string, ...values: unknown[]): Promise<unknown[][]> =>
    (await app.pool.query({ text, values, rowMode: 'array' })).rows as unknown[][];
  const ask = (query: string, key?: string): ReturnType<typeof graphql> =>
    graphql(app.url, query, {}, { ...session, ...(key !== undefined && { 'idempotency-key': key }) });
  /** Fails unless the mutation has had its effect. */
  const done = async (query: string): Promise<void> => {
    const answer = await ask(query);
    expect(JSON.stringify(answer)).not.toMatch(/"code"/);
  };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads the payload as it likes
  const dataBy = async (by: CredentialHeaders, query: string): Promise<any> => (await graphql<any>(app.url, query, {}, by)).data;
  const newEndpoint = async (): Promise<string> =>
    (await dataBy(session, 'mutation { callbackEndpointAdd(input: { url: "https://hooks.example/x" }) { id } }')).callbackEndpointAdd.id;
  const newDelivery = async (): Promise<string> => {
    const [endpoint, id] = [await newEndpoint(), randomUUID()];
    await app.pool.query(
      `INSERT INTO webhook_delivery (id, endpoint_id, sequence, event_type, body, state, ended_at) VALUES ($1, $2, 1, 'x', '{}', 'failed', now())`,
      [id, endpoint],
    );
    return id;
  };
  const wallets = (): string[] => [alice.wallets.BTC, alice.wallets.USD, bob.wallets.BTC, bob.wallets.USD];
  const invoices = (): Promise<unknown[][]> =>
    rows('SELECT payment_hash, state FROM invoice WHERE wallet_id = ANY ($1) ORDER BY 1', wallets());
  const payments = (): Promise<unknown[][]> => rows('SELECT id, state FROM payment WHERE wallet_id = ANY ($1) ORDER BY 1', wallets());
  const made =
    (effect: Mutation['effect'], selected: string) =>
    (field: string, input: () => string | Promise<string>): Mutation => ({
      query: async () => `mutation { ${field}(input: { ${await input()} }) { ${selected} errors { code } } }`,
      effect,
    });
  const [invoiceBy, paymentBy, probeBy] = [made(invoices, 'invoice { paymentHash }'), made(payments, 'status'), made(payments, 'amount')];
  const account = (): Promise<unknown[][]> =>
    rows('SELECT default_wallet_id, display_currency FROM account WHERE user_id = $1', alice.userId);

  const chooseEuro = (): Promise<unknown> => rows(`UPDATE account SET display_currency = 'EUR' WHERE user_id = $1`, alice.userId);

  interface Mutation {
    readonly query: () => Promise<string>;
    /** What its caller does between the two runs. */
    readonly between?: () => Promise<unknown>;
    readonly effect: () => Promise<unknown>;
    /** Its response holds a secret. */
    readonly isSecret?: boolean;
  }
  const budgets = (): Promise<unknown[][]> => rows('SELECT * FROM budget WHERE id = ANY ($1)', keys);
  const setLimit = (sats: number): string =>
    `mutation { apiKeySetLimit(input: { id: "${keys[0]}", limitTimeWindow: DAILY, limitSats: ${sats} }) { apiKey { id } } }`;
  const removeLimit = (): string => `mutation { apiKeyRemoveLimit(input: { id: "${keys[0]}", limitTimeWindow: DAILY }) { apiKey { id } } }`;
  const own = (): string => `walletId: "${alice.wallets.BTC}"`;
  const dollars = (): string => `walletId: "${alice.wallets.USD}"`;
  const bobs = (): string => `recipientWalletId: "${bob.wallets.BTC}"`;
  const outside = async (sats: number): Promise<string> => `paymentRequest: "${(await fixture.outside(sats)).paymentRequest}"`;
  const open = async (): Promise<string> => {
    const made = await dataBy(
      bob.as('all'),
      `mutation { lnNoAmountInvoiceCreate(input: { walletId: "${bob.wallets.BTC}" }) { invoice { paymentRequest } } }`,
    );
    return `paymentRequest: "${made.lnNoAmountInvoiceCreate.invoice.paymentRequest}"`;
  };

  const MUTATIONS: Readonly<Record<string, Mutation>> = {
    apiKeyCreate: {
      query: async () => 'mutation { apiKeyCreate(input: { name: "twice", scopes: [READ] }) { apiKeySecret } }',
      effect: () => rows('SELECT id FROM api_key WHERE user_id = $1', alice.userId),
      isSecret: true,
    },
    callbackEndpointAdd: {
      query: async () =>
        'mutation { callbackEndpointAdd(input: { url: "https://hooks.example/twice" }) { id signingSecret errors { code } } }',
      between: async () => {
        const [[id] = []] = await rows(`SELECT id FROM webhook_endpoint WHERE url LIKE '%/twice'`);
        await done(`mutation { callbackEndpointDelete(input: { id: "${String(id)}" }) { success } }`);
      },
      effect: () => rows(`SELECT id FROM webhook_endpoint WHERE url LIKE '%/twice'`),
      isSecret: true,
    },
    callbackEndpointDelete: {
      query: async () => `mutation { callbackEndpointDelete(input: { id: "${await newEndpoint()}" }) { success } }`,
      between: newEndpoint,
      effect: () => rows('SELECT id FROM webhook_endpoint'),
    },
    callbackDeliveryReplay: {
      query: async () => `mutation { callbackDeliveryReplay(input: { id: "${await newDelivery()}" }) { success errors { code } } }`,
      between: async () => {
        await app.pool.query(`DELETE FROM job WHERE task = 'webhook'`);
        await app.pool.query(`UPDATE webhook_delivery SET state = 'delivered', next_at = NULL, ended_at = now()`);
      },
      effect: () => rows(`SELECT state FROM webhook_delivery WHERE state = 'waiting'`),
    },
    apiKeySetLimit: { query: async () => setLimit(100), between: () => done(setLimit(5)), effect: budgets },
    apiKeyRemoveLimit: { query: () => done(setLimit(100)).then(removeLimit), between: () => done(setLimit(5)), effect: budgets },
    apiKeyRevoke: {
      query: async () => `mutation { apiKeyRevoke(input: { id: "${keys[0]}" }) { apiKey { revoked } } }`,
      effect: () => rows(`SELECT revoked_at, (SELECT count(*) FROM event WHERE $1 = ANY (keys)) FROM api_key WHERE id::text = $1`, keys[0]),
    },
    accountUpdateDefaultWalletId: {
      query: async () => `mutation { accountUpdateDefaultWalletId(input: { walletId: "${alice.wallets.USD}" }) { errors { code } } }`,
      between: () => done(`mutation { accountUpdateDefaultWalletId(input: { walletId: "${alice.wallets.BTC}" }) { errors { code } } }`),
      effect: account,
    },
    accountUpdateDisplayCurrency: {
      query: async () => {
        await chooseEuro();
        return 'mutation { accountUpdateDisplayCurrency(input: { currency: "USD" }) { errors { code } } }';
      },
      between: () => chooseEuro(),
      effect: account,
    },
    userUpdateLanguage: {
      query: async () => 'mutation { userUpdateLanguage(input: { language: "de" }) { errors { code } } }',
      between: () => done('mutation { userUpdateLanguage(input: { language: "en" }) { errors { code } } }'),
      effect: () => rows('SELECT language FROM app_user WHERE id = $1', alice.userId),
    },
    userUpdateUsername: {
      query: async () => `mutation { userUpdateUsername(input: { username: "${alice.username}" }) { errors { code } } }`,
      effect: () => rows('SELECT username FROM app_user WHERE id = $1', alice.userId),
    },
    lnInvoiceCancel: {
      query: async () => {
        const made = await dataBy(session, `mutation { lnInvoiceCreate(input: { ${own()}, amount: 7 }) { invoice { paymentHash } } }`);
        const hash = made.lnInvoiceCreate.invoice.paymentHash;
        return `mutation { lnInvoiceCancel(input: { ${own()}, paymentHash: "${hash}" }) { success } }`;
      },
      effect: () => rows('SELECT payment_hash, state FROM invoice WHERE wallet_id = $1', alice.wallets.BTC),
    },
    lnInvoiceCreate: invoiceBy('lnInvoiceCreate', () => `${own()}, amount: 7`),
    lnNoAmountInvoiceCreate: invoiceBy('lnNoAmountInvoiceCreate', own),
    lnUsdInvoiceCreate: invoiceBy('lnUsdInvoiceCreate', () => `${dollars()}, amount: 7`),
    lnInvoiceCreateOnBehalfOfRecipient: invoiceBy('lnInvoiceCreateOnBehalfOfRecipient', () => `${bobs()}, amount: 7`),
    lnNoAmountInvoiceCreateOnBehalfOfRecipient: invoiceBy('lnNoAmountInvoiceCreateOnBehalfOfRecipient', bobs),
    lnUsdInvoiceCreateOnBehalfOfRecipient: invoiceBy(
      'lnUsdInvoiceCreateOnBehalfOfRecipient',
      () => `recipientWalletId: "${bob.wallets.USD}", amount: 7`,
    ),
    lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient: invoiceBy(
      'lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient',
      () => `recipientWalletId: "${bob.wallets.USD}", amount: 700`,
    ),
    intraLedgerPaymentSend: paymentBy('intraLedgerPaymentSend', async () => `${own()}, ${bobs()}, amount: 5`),
    intraLedgerUsdPaymentSend: paymentBy('intraLedgerUsdPaymentSend', async () => `${dollars()}, ${bobs()}, amount: 5`),
    lnInvoicePaymentSend: paymentBy('lnInvoicePaymentSend', async () => `${own()}, ${await outside(50)}`),
    lnNoAmountInvoicePaymentSend: paymentBy('lnNoAmountInvoicePaymentSend', async () => `${own()}, ${await open()}, amount: 5`),
    lnNoAmountUsdInvoicePaymentSend: paymentBy('lnNoAmountUsdInvoicePaymentSend', async () => `${dollars()}, ${await open()}, amount: 5`),
    lnInvoiceFeeProbe: probeBy('lnInvoiceFeeProbe', async () => `${own()}, ${await outside(50)}`),
    lnUsdInvoiceFeeProbe: probeBy('lnUsdInvoiceFeeProbe', async () => `${dollars()}, ${await outside(50)}`),
    lnNoAmountInvoiceFeeProbe: probeBy('lnNoAmountInvoiceFeeProbe', async () => `${own()}, ${await open()}, amount: 5`),
    lnNoAmountUsdInvoiceFeeProbe: probeBy('lnNoAmountUsdInvoiceFeeProbe', async () => `${dollars()}, ${await open()}, amount: 5`),
  };
  /** Their repeats need a service, or the session, or its proof, has ended: lnurl-payment-send.spec.ts, second-factor, email and personal-data.spec.ts. */
  const PROVEN = ['Delete', 'RegistrationInitiate', 'RegistrationValidate'].flatMap((act) => [`userEmail${act}`, `userTotp${act}`]);
  const ELSEWHERE = ['accountDelete', 'lnAddressPaymentSend', 'lnurlPaymentSend', 'userLogout', ...PROVEN];

  it.each(Object.entries(MUTATIONS))('has its effect once: %s', async (field, { query, between, effect, isSecret }) => {
    await done(
      `mutation { intraLedgerPaymentSend(input: { ${own()}, recipientWalletId: "${alice.wallets.USD}", amount: 3000 }) { errors { code } } }`,
    );
    const text = await query();
    const before = await effect();
    const first = await ask(text, field);
    expect(JSON.stringify(first)).not.toMatch(/"code"/);
    if (!/Probe|Revoke|Delete|Username/.test(field)) expect(await effect()).not.toEqual(before);
    await app.pool.query(
      `UPDATE idempotency SET state = 'running', answer = NULL, claimed_until = now() - interval '1 second'
        WHERE created_at = (SELECT max(created_at) FROM idempotency)`,
    );
    await between?.();
    const had = await effect();
    const second = await ask(text, field);
    expect(await effect()).toEqual(had);
    const withheld = { data: null, errors: [expect.objectContaining({ extensions: { code: 'IDEMPOTENCY_SECRET_WITHHELD' } })] };
    expect(second).toEqual(isSecret ? withheld : first);
    // Its answer is final.
    expect(await ask(text, field)).toMatchObject(isSecret ? { errors: [{ extensions: { code: 'IDEMPOTENCY_SECRET_WITHHELD' } }] } : first);
  });

  it('is tried for every mutation but those of bitcoin addresses: one more does no harm, and onchain-send-all.spec.ts pays them', () => {
    const fields = Object.keys(buildSchema(readFileSync('schema.graphql', 'utf8')).getMutationType()?.getFields() ?? {});
    expect([...Object.keys(MUTATIONS), ...ELSEWHERE].sort()).toEqual(fields.filter((field) => !field.startsWith('onChain')).sort());
  });

  it.each(['apiKeyCreate', 'callbackEndpointAdd'])('makes one thing and shows one secret while both runs are at it: %s', async (field) => {
    const attempts = app.sluice.app.get(Attempts);
    const once: Attempts['once'] = attempts.once.bind(attempts);
    let wake = (): void => undefined;
    const stopped = new Promise<void>((resolve) => (wake = resolve));
    const stop = jest.spyOn(attempts, 'once').mockImplementationOnce(async (...all) => stopped.then(async () => once(...all)));
    const { query, effect } = MUTATIONS[field] as Mutation;
    const [text, before] = [await query(), (await effect()) as unknown[]];
    const first = ask(text, field);
    await eventually(() => stop.mock.calls.length === 1);
    stop.mockRestore();
    await app.pool.query(`UPDATE idempotency SET claimed_until = now() - interval '1 second' WHERE state = 'running'`);
    const others = Array.from({ length: 5 }, () => toItsEnd(() => ask(text, field)));
    wake();
    const texts = (await Promise.all([first, ...others])).map((answer) => JSON.stringify(answer));
    expect(texts.filter((each) => /"(sluice|whsec)_/.test(each))).toHaveLength(1);
    for (const each of texts.filter((other) => !/"(sluice|whsec)_/.test(other))) expect(each).toContain('IDEMPOTENCY_SECRET_WITHHELD');
    expect(await effect()).toHaveLength(before.length + 1);
  });

  it('is not counted as done when it was refused, or when its transaction failed', async () => {
    const add = 'mutation { callbackEndpointAdd(input: { url: "https://hooks.example/full" }) { id signingSecret errors { code } } }';
    const ids = await Promise.all(Array.from({ length: 10 }, newEndpoint));
    expect((await ask(add, 'full')).data).toMatchObject({ callbackEndpointAdd: { id: null, errors: [{ code: 'INVALID_INPUT' }] } });
    await app.pool.query(`UPDATE idempotency SET state = 'running', answer = NULL, claimed_until = now() - interval '1 second'`);
    await done(`mutation { callbackEndpointDelete(input: { id: "${ids[0]}" }) { success } }`);
    expect((await ask(add, 'full')).data).toMatchObject({ callbackEndpointAdd: { signingSecret: expect.any(String), errors: [] } });
  });
});
