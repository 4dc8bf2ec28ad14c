import { createTestApp, type TestApp } from '../support/app.js';
import { graphql, type Credential } from '../support/graphql.js';
import { PASSWORD, World, type Person } from '../support/world.js';

const PAY = `mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { code message } transaction { id } } }`;
const SEND = `mutation ($input: IntraLedgerPaymentSendInput!) { lnSent: intraLedgerPaymentSend(input: $input) { status errors { code } transaction { id } } }`;

describe('an idempotency key', () => {
  let app: TestApp;
  let world: World;
  let alice: Person;
  let bob: Person;

  const sessionOf = async ({ email }: Person): Promise<Credential> => {
    const answer = await fetch(`${app.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    const { result } = (await answer.json()) as { result: { authToken: string } };
    return { authorization: `Bearer ${result.authToken}` };
  };
  const send = (key: string, amount: number, credential = bob.as('write'), header = 'Idempotency-Key'): ReturnType<typeof graphql> =>
    graphql(
      app.url,
      SEND,
      { input: { walletId: bob.wallets.BTC, recipientWalletId: alice.wallets.BTC, amount } },
      { ...credential, [header]: key },
    );

  beforeAll(async () => {
    app = await createTestApp({ env: { PAYMENT_WAIT_SECONDS: '2' } });
    world = new World(app);
    alice = await world.user();
    bob = await world.user({ sats: 10_000 });
  });
  afterEach(() => world.expectBalanced());
  afterAll(() => app.close());

  it('replays the stored answer and moves the money once, under either name', async () => {
    const before = await alice.sats();
    const first = await send('one', 100);
    expect(first.data).toMatchObject({ lnSent: { status: 'SUCCESS', errors: [] } });
    expect(await send('one', 100)).toEqual(first);
    expect(await send('one', 100, bob.as('write'), 'X-Idempotency-Key')).toEqual(first);
    expect(await alice.sats()).toBe(before + 100);
  });

  it('answers twenty at once with one payment', async () => {
    const before = await alice.sats();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('twenty', 7)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await alice.sats()).toBe(before + 7);
  });

  it('belongs to one account and one client', async () => {
    const before = await alice.sats();
    await send('mine', 1);
    await send('mine', 1, bob.as('all'));
    expect(await alice.sats()).toBe(before + 2);
  });

  it('is refused for another request', async () => {
    await send('other', 1);
    expect((await send('other', 2)).errors?.[0]?.extensions).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  });

  it('waits for the first, as long as a payment waits, and then says so', async () => {
    const slow = await world.outside(50, { hold: true });
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
    await world.simulator.release(slow.paymentHash);
  });

  it.each([
    ['too long', 'x'.repeat(256)],
    ['not printable', 'a\tb'],
  ])('that is %s is refused', async (_what, key) => {
    const { errors } = await send(key, 1);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('that is empty is none', async () => {
    expect((await send('', 1)).data).toMatchObject({ lnSent: { status: 'SUCCESS' } });
  });

  it('refuses two different keys', async () => {
    const { errors } = await send('a', 1, { ...bob.as('write'), 'X-Idempotency-Key': 'b' });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('never keeps a secret: the replay says that it was given', async () => {
    const session = await sessionOf(bob);
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

  it('is run again after a crash in the middle, and still moves the money once', async () => {
    const before = await alice.sats();
    await send('crash', 33);
    // As a process leaves it that dies between moving the money and storing the answer.
    await app.pool.query(
      "UPDATE idempotency SET state = 'running', answer = NULL, claimed_until = now() - interval '1 second' WHERE created_at = (SELECT max(created_at) FROM idempotency)",
    );
    expect((await send('crash', 33)).data).toMatchObject({ lnSent: { status: 'SUCCESS' } });
    expect(await alice.sats()).toBe(before + 33);
  });

  it('is kept for a day, then forgotten', async () => {
    const before = await alice.sats();
    await send('old', 5);
    await app.pool.query("UPDATE idempotency SET created_at = now() - interval '25 hours'");
    await send('old', 5);
    expect(await alice.sats()).toBe(before + 10);
  });

  it('does not store what passes: a throttled call may be tried again', async () => {
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
