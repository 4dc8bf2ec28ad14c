import { RegistrationService, UserService } from '../../src/access/user/index.js';
import { PaymentFreezeService } from '../../src/money/payment/begin/payment-freeze.service.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Visit } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { dataOf, graphql, type CredentialHeaders } from '../support/graphql.js';
import { newOAuthApp } from '../support/oauth-app.js';

const DELETE = 'mutation { accountDelete { errors { message code path } success } }';
const TRANSFER = `mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status errors { code } } }`;
const ADD_WEBHOOK = `mutation ($input: CallbackEndpointAddInput!) { callbackEndpointAdd(input: $input) { errors { message } id } }`;
const OLD = 'UPDATE session SET factor_at = factor_at - make_interval(secs => 601) WHERE user_id = $1';

/**
 * Each table with a column that leads to a person: the list of the export that has it, or why none has; and what a deletion leaves of it. A new
 * table fails the test until it stands here.
 */
const TABLES: Readonly<Record<string, { readonly exported: string; readonly deleted: string }>> = {
  access_pause: { exported: 'in `user`', deleted: 'all' },
  account: { exported: 'account', deleted: 'all' },
  adjustment: { exported: 'its row of the history is in `transactions`; the rest is the operators’ record', deleted: 'explains journals' },
  api_key: { exported: 'apiKeys', deleted: 'all' },
  deposit: { exported: 'deposits', deleted: 'explains journals; an output that comes later is booked to unclaimed' },
  email_registration: { exported: 'a code on its way to an address, for minutes', deleted: 'all' },
  invitation: { exported: 'the operator’s record of whom they invited', deleted: 'all' },
  invoice: { exported: 'invoices', deleted: 'all' },
  invoice_forgotten: {
    exported: 'hashes of unpaid invoices of strangers',
    deleted: 'a hash and the id of a wallet, by which a late payment is found',
  },
  notice: { exported: 'notices', deleted: 'all' },
  notice_choice: { exported: 'in `user`', deleted: 'all' },
  oauth_application: { exported: 'applications', deleted: 'all' },
  oauth_grant: { exported: 'apps', deleted: 'all' },
  oauth_interaction: { exported: 'sign-ins through apps in progress, for minutes', deleted: 'all' },
  onchain_address: { exported: 'addresses', deleted: 'an address is always watched, and what it receives is booked to unclaimed' },
  payment: {
    exported: 'their rows of the history, with the payee, are in `transactions`',
    deleted: 'proves that an invoice was paid; without the payee',
  },
  payment_approval: { exported: 'approvals', deleted: 'all' },
  payment_line: { exported: 'who waits to pay an invoice, for seconds', deleted: 'gone within seconds, or ninety days' },
  session: { exported: 'sessions', deleted: 'all' },
  settlement_review: { exported: 'settlements for an operator', deleted: 'the wallet of an operator' },
  transaction: { exported: 'transactions', deleted: 'amounts, times and hashes, which the ledger needs; without notes and names' },
  user_identity: { exported: 'in `user`', deleted: 'all' },
  user_passkey: { exported: 'passkeys', deleted: 'all' },
  user_recovery_code: { exported: 'in `user`', deleted: 'all' },
  user_totp: { exported: 'in `user`', deleted: 'all' },
  username_former: { exported: 'in `user`', deleted: 'all' },
  wallet: { exported: 'wallets', deleted: 'all' },
  webhook_endpoint: { exported: 'webhooks', deleted: 'all' },
};
const PERSONAL = `SELECT c.table_name AS "table", array_agg(c.column_name::text) AS columns FROM information_schema.columns c
  JOIN information_schema.tables t USING (table_schema, table_name)
  WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
    AND (c.column_name IN ('user_id', 'account_id', 'owner_id', 'wallet_id', 'counterparty_wallet_id', 'return_wallet_id', 'proposed_by', 'decided_by', 'webhook_owner_id')
      OR c.table_name = 'access_pause' AND c.column_name = 'subject' OR c.table_name = 'account' AND c.column_name = 'id')
    AND c.data_type IN ('uuid', 'text') GROUP BY 1 ORDER BY 1`;

let app: TestApp;
let fixture: Fixture;
let alice: Person;
let bob: Person;
beforeAll(async () => {
  app = await createTestApp({ env: { PAYMENT_WAIT_SECONDS: '1' } });
  fixture = new Fixture(app);
  bob = await fixture.user({ sats: 10_000 });
});
beforeEach(async () => {
  alice = await fixture.user();
});
afterEach(() => fixture.expectBalanced());
afterAll(() => app.close());

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> => (await app.pool.query(text, values)).rows as Row[];
const remove = async (credential: CredentialHeaders): Promise<{ success: boolean; errors: { code: string }[] }> =>
  (await dataOf(app.url, DELETE, {}, credential)).accountDelete as never;
const lives = async ({ userId }: Person): Promise<boolean> => (await query('SELECT 1 FROM app_user WHERE id = $1', [userId])).length > 0;
const forgotten = (): Promise<unknown> =>
  eventually(async () => (await query("SELECT 1 FROM job WHERE task = 'account_forget'")).length === 0);
/** The page has the form for signing out before it. */
const sendForm = (browser: BrowserSession, page: Visit, path: string, fields = {}): Promise<Visit> =>
  browser.post(path, { ...hiddenFields(page), ...fields });
const browserOf = async ({ email }: Person): Promise<BrowserSession> => {
  const session = new BrowserSession(app.url);
  await session.signInOnTheWay(await session.get('/dashboard'), { email, password: PASSWORD });
  return session;
};
const statusOf = async (document: string, credential: CredentialHeaders): Promise<number> =>
  (
    await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...credential },
      body: JSON.stringify({ query: document }),
    })
  ).status;
const refusedWith = (code: string): object => ({ success: false, errors: [expect.objectContaining({ code, path: null })] });

describe('accountDelete', () => {
  it('deletes the account: nothing signs in, is paid or is found, and the address can register again', async () => {
    const { paymentRequest } = await alice.invoice(7, 'for the open one');
    await bob.pay((await alice.invoice(500, 'rent of alice')).paymentRequest);
    const toBob = await alice.pay((await bob.invoice(500, 'back to bob')).paymentRequest);
    expect(toBob.status).toBe('SUCCESS');
    const session = await fixture.session(alice);
    const app3 = await newOAuthApp(app);
    const tokens = await app3.connect(alice);

    expect(await remove(session)).toEqual({ success: true, errors: [] });

    const me = '{ me { username } }';
    for (const credential of [session, alice.as('all'), { 'oauth2-token': tokens.access_token }])
      expect(await statusOf(me, credential)).toBe(401);
    expect((await app3.refresh(tokens.refresh_token ?? '')).status).toBe(400);
    expect((await bob.pay(paymentRequest)).status).toBe('FAILURE');
    expect(await fixture.simulator.payOutside(paymentRequest)).toEqual({ status: expect.not.stringMatching(/paid|in_flight/) });
    expect(await (await fetch(`${app.url}/.well-known/lnurlp/${alice.username}`)).json()).toMatchObject({ status: 'ERROR' });
    const input = { walletId: bob.wallets.BTC, recipientWalletId: alice.wallets.BTC, amount: 1 };
    expect((await dataOf(app.url, TRANSFER, { input }, bob.as('write'))).intraLedgerPaymentSend).toMatchObject({ status: 'FAILURE' });
    const onBehalf = `mutation ($input: LnInvoiceCreateOnBehalfOfRecipientInput!) { lnInvoiceCreateOnBehalfOfRecipient(input: $input) { invoice { paymentHash } errors { code } } }`;
    expect(
      (await dataOf(app.url, onBehalf, { input: { recipientWalletId: alice.wallets.BTC, amount: 5 } })).lnInvoiceCreateOnBehalfOfRecipient,
    ).toEqual({ invoice: null, errors: [{ code: 'NOT_FOUND' }] });

    await forgotten();
    expect(await lives(alice)).toBe(false);
    const registrations = app.get(RegistrationService);
    const again = { email: alice.email, password: PASSWORD };
    expect(await registrations.register({ ...again, username: alice.username })).toMatchObject({ kind: 'username_taken' });
    expect(await registrations.usernameAvailable(alice.username)).toBe(false);
    expect(await registrations.register({ ...again, username: `${alice.username}_2` })).toEqual({ kind: 'registered' });

    const rows = await query<Record<string, unknown>>(
      'SELECT memo, external_id, payment_request, counterparty_username, payment_hash IS NOT NULL AS "hasHash", amount::text FROM transaction WHERE account_id = $1 ORDER BY amount',
      [alice.accountId],
    );
    const gone = { memo: null, external_id: null, payment_request: null, counterparty_username: null, hasHash: true };
    expect(rows).toEqual([
      { ...gone, amount: '-500000' },
      { ...gone, amount: '500000' },
    ]);
    expect(
      await query('SELECT 1 FROM payment WHERE account_id = $1 AND coalesce(payment_request, payee) IS NOT NULL', [alice.accountId]),
    ).toEqual([]);
    // What bob has of it stays his.
    expect(
      await query('SELECT memo, counterparty_username AS name FROM transaction WHERE account_id = $1 AND amount = -500000', [
        bob.accountId,
      ]),
    ).toEqual([{ memo: 'rent of alice', name: alice.username }]);
  });

  it.each([
    ['a key', (): CredentialHeaders => alice.as('all'), 'NOT_AUTHORIZED'],
    ['an anonymous caller', (): CredentialHeaders => ({}), 'NOT_AUTHENTICATED'],
  ])('attack: refuses %s', async (_who, credential, code) => {
    const { errors } = await graphql(app.url, DELETE, {}, credential());
    expect(errors).toMatchObject([{ extensions: { code } }]);
    expect(await lives(alice)).toBe(true);
  });

  it('attack: refuses an app with every scope, a trusted one too', async () => {
    const trusted = await newOAuthApp(app, { trusted: true });
    const { access_token } = await trusted.connect(alice, { scope: 'read receive write' });
    const { errors } = await graphql(app.url, DELETE, {}, { 'oauth2-token': access_token });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_AUTHORIZED' } }]);
    expect(await lives(alice)).toBe(true);
  });

  it('attack: refuses an old session, and that of another person deletes theirs alone', async () => {
    const session = await fixture.session(alice);
    await app.pool.query(OLD, [alice.userId]);
    const { errors } = await graphql(app.url, DELETE, {}, session);
    expect(errors).toMatchObject([{ extensions: { code: 'INSUFFICIENT_USER_AUTHENTICATION', max_age: 600 } }]);
    const carol = await fixture.user();
    expect(await remove(await fixture.session(carol))).toMatchObject({ success: true });
    await forgotten();
    expect([await lives(carol), await lives(alice)]).toEqual([false, true]);
  });

  it('refuses while there is money, and cancels no invoice then, and takes less than a satoshi', async () => {
    await fixture.fund(alice, 1);
    const [session, open] = [await fixture.session(alice), await alice.invoice(2)];
    expect(await remove(session)).toEqual(refusedWith('ACCOUNT_NOT_EMPTY'));
    expect((await bob.pay(open.paymentRequest)).status).toBe('SUCCESS');
    await dataOf(
      app.url,
      TRANSFER,
      { input: { walletId: alice.wallets.BTC, recipientWalletId: bob.wallets.BTC, amount: 3 } },
      alice.as('write'),
    );
    const { paymentRequest } = await fixtureInvoiceWithoutAmount(alice);
    await fixture.simulator.payOutside(paymentRequest, { amountMsat: 999n });
    await eventually(async () => (await posted(alice)) === '999');
    expect(await remove(session)).toEqual({ success: true, errors: [] });
  });

  it('refuses while a payment is in flight, and afterwards while its money is back', async () => {
    await fixture.fund(alice, 1_000);
    const { paymentRequest, paymentHash } = await fixture.outside(100, { hold: true });
    expect((await alice.pay(paymentRequest)).status).toBe('PENDING');
    const session = await fixture.session(alice);
    expect(await remove(session)).toEqual(refusedWith('PAYMENT_IN_FLIGHT'));
    await fixture.release(paymentHash, 'no_route');
    await eventually(
      async () => (await query("SELECT 1 FROM payment WHERE account_id = $1 AND state = 'failed'", [alice.accountId])).length === 1,
    );
    expect(await remove(session)).toEqual(refusedWith('ACCOUNT_NOT_EMPTY'));
  });

  it('refuses a frozen account and that of an operator', async () => {
    const freezes = app.get(PaymentFreezeService);
    await freezes.freeze(alice.accountId, 'operator', { who: 'test', because: 'a test' });
    const session = await fixture.session(alice);
    expect(await remove(session)).toEqual(refusedWith('ACCOUNT_FROZEN'));
    await app.pool.query('DELETE FROM payment_freeze');
    await app.get(UserService).makeOperator(alice.email);
    expect(await remove(session)).toEqual(refusedWith('OPERATOR_ACCOUNT'));
    expect(await lives(alice)).toBe(true);
  });

  it('refuses while an invoice cannot be cancelled, and while the payment that came first is there', async () => {
    const { paymentHash } = await alice.invoice(10);
    await app.pool.query('UPDATE invoice SET node_id = $2 WHERE payment_hash = $1', [paymentHash, `02${'ab'.repeat(32)}`]);
    const session = await fixture.session(alice);
    expect(await remove(session)).toEqual(refusedWith('INVOICE_OPEN'));
    await app.pool.query("UPDATE invoice SET expires_at = now() - interval '25 hours' WHERE payment_hash = $1", [paymentHash]);
    const { paymentRequest } = await alice.invoice(10);
    await fixture.simulator.payOutside(paymentRequest, { faults: { cancelRace: true } });
    await eventually(async () => (await remove(session)).errors[0]?.code === 'ACCOUNT_NOT_EMPTY');
  });

  it('leaves a receipt that comes later to the operator, in `settlement list`', async () => {
    const { paymentRequest, paymentHash } = await alice.invoice(33);
    // As if it had been made the moment before the deletion, which did not see it.
    await app.pool.query("UPDATE invoice SET expires_at = now() - interval '25 hours', next_look_at = 'infinity' WHERE payment_hash = $1", [
      paymentHash,
    ]);
    expect(await remove(await fixture.session(alice))).toMatchObject({ success: true });
    await fixture.simulator.payOutside(paymentRequest);
    await eventually(
      async () =>
        (await query("SELECT 1 FROM settlement_review WHERE payment_hash = $1 AND outcome = 'unclaimed'", [paymentHash])).length === 1,
    );
  });

  it('is refused without a lock that payments wait for, which a flood of refused deletions would hold', async () => {
    const payments = await app.pool.connect();
    try {
      await payments.query(`BEGIN; SELECT pg_advisory_xact_lock_shared(lock_key('paymentFreeze'))`);
      expect(await remove(await fixture.session(bob))).toMatchObject(refusedWith('ACCOUNT_NOT_EMPTY'));
    } finally {
      await payments.query('ROLLBACK');
      payments.release();
    }
  });

  it('races: whatever is sent meanwhile arrives before it, or does not leave its sender', async () => {
    for (let round = 0; round < 6; round++) {
      const leaving = await fixture.user();
      const session = await fixture.session(leaving);
      const invoice = await leaving.invoice(3);
      const input = { walletId: bob.wallets.BTC, recipientWalletId: leaving.wallets.BTC, amount: 1 };
      const [sent, paid, deleted] = await Promise.all([
        dataOf(app.url, TRANSFER, { input }, bob.as('write')).then(
          ({ intraLedgerPaymentSend }) => intraLedgerPaymentSend as { status: string },
        ),
        bob.pay(invoice.paymentRequest) as Promise<{ status: string }>,
        remove(session),
        fixture.simulator.payOutside((await leaving.invoice(2)).paymentRequest),
      ]);
      if (deleted.success) expect([sent.status, paid.status]).toEqual(['FAILURE', 'FAILURE']);
      else expect(deleted.errors[0]?.code).toMatch(/^(ACCOUNT_NOT_EMPTY|PAYMENT_IN_FLIGHT|INVOICE_OPEN|PAYMENT_BUSY)$/);
    }
    // No wallet is gone with money in it.
    expect(
      await query(
        'SELECT l.id FROM ledger_account l WHERE l.id >= 1000 AND l.posted >= 1000 AND NOT EXISTS (SELECT FROM wallet w WHERE w.ledger_account_id = l.id)',
      ),
    ).toEqual([]);
  });

  it('ends two requests at once alike', async () => {
    const session = await fixture.session(alice);
    const statuses = await Promise.all([statusOf(DELETE, session), statusOf(DELETE, session)]);
    expect(statuses).toContain(200);
    for (const status of statuses) expect([200, 401]).toContain(status);
    await forgotten();
    expect(await lives(alice)).toBe(false);
  });

  it('waits with no lock of payments for the rest of the person', async () => {
    const [carol, session] = [await fixture.user(), await fixture.session(alice)];
    const other = await app.pool.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT FROM api_key WHERE user_id = $1 FOR UPDATE', [alice.userId]);
      expect(await remove(session)).toEqual({ success: true, errors: [] });
      expect(await statusOf('{ me { id } }', session)).toBe(401);
      const input = { walletId: bob.wallets.BTC, recipientWalletId: carol.wallets.BTC, amount: 1 };
      expect((await dataOf(app.url, TRANSFER, { input }, bob.as('write'))).intraLedgerPaymentSend).toMatchObject({ status: 'SUCCESS' });
      expect(await lives(alice)).toBe(true);
    } finally {
      await other.query('ROLLBACK');
      other.release();
    }
    await forgotten();
    expect(await lives(alice)).toBe(false);
  });

  it('ends drafts of a developer, and leaves an approved app to the operator', async () => {
    await app.pool.query(
      `INSERT INTO oauth_application (id, owner_id, name, redirect_uris, scopes, grant_types, confidential, require_pkce, state)
       VALUES ('draft-of-alice', $1, 'Draft', '{}', '{read}', '{authorization_code}', true, false, 'draft')`,
      [alice.userId],
    );
    const shop = await newOAuthApp(app);
    await app.pool.query('UPDATE oauth_application SET owner_id = $1 WHERE id = $2', [alice.userId, shop.client.id]);
    const { access_token } = await shop.connect(bob);
    expect(await remove(await fixture.session(alice))).toMatchObject({ success: true });
    await forgotten();
    expect(await query("SELECT id, owner_id FROM oauth_application WHERE id IN ('draft-of-alice', $1)", [shop.client.id])).toEqual([
      { id: shop.client.id, owner_id: null },
    ]);
    expect(await statusOf('{ me { id } }', { 'oauth2-token': access_token })).toBe(200);
  });
});

/** An invoice for which the payer chooses the amount. */
async function fixtureInvoiceWithoutAmount(person: Person): Promise<{ paymentRequest: string }> {
  const made = await dataOf(
    app.url,
    'mutation ($input: LnNoAmountInvoiceCreateInput!) { lnNoAmountInvoiceCreate(input: $input) { invoice { paymentRequest } } }',
    { input: { walletId: person.wallets.BTC } },
    person.as('receive'),
  );
  return made.lnNoAmountInvoiceCreate.invoice as { paymentRequest: string };
}

async function posted({ wallets }: Person): Promise<string | undefined> {
  const rows = await query<{ posted: string }>(
    'SELECT l.posted::text FROM ledger_account l JOIN wallet w ON w.ledger_account_id = l.id WHERE w.id = $1',
    [wallets.BTC],
  );
  return rows[0]?.posted;
}

describe('/dashboard/account/delete', () => {
  it('says what is lost, asks for a proof, and deletes', async () => {
    const browser = await browserOf(alice);
    await app.pool.query(OLD, [alice.userId]);
    const asked = await browser.get('/dashboard/account/delete');
    expect(asked.location).toContain('/dashboard/confirm?to=%2Fdashboard%2Faccount%2Fdelete');
    const confirm = await browser.get(asked.location);
    expect((await sendForm(browser, confirm, asked.location.slice(app.url.length), { password: 'wrong wrong wrong' })).status).toBe(422);
    const page = await browser.get(
      (await sendForm(browser, confirm, asked.location.slice(app.url.length), { password: PASSWORD })).location,
    );
    expect(page.text).toContain('can’t be undone');
    expect(await lives(alice)).toBe(true);
    const { location } = await sendForm(browser, page, '/dashboard/account/delete');
    expect(location).toBe(`${app.url}/login?deleted=1`);
    expect((await browser.get(location)).text).toContain('Your account is deleted.');
    expect((await browser.get('/dashboard')).status).toBe(303);
    await forgotten();
    expect(await lives(alice)).toBe(false);
  });

  it('attack: deletes nothing without a fresh proof, by another site, or by GET', async () => {
    const browser = await browserOf(alice);
    const page = await browser.get('/dashboard/account/delete');
    const cross = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await browser.post('/dashboard/account/delete', hiddenFields(page), cross)).status).toBe(403);
    await app.pool.query(OLD, [alice.userId]);
    expect((await sendForm(browser, page, '/dashboard/account/delete')).location).toContain('/dashboard/confirm');
    expect(await lives(alice)).toBe(true);
  });

  it('says why it refuses', async () => {
    await fixture.fund(alice, 5);
    const browser = await browserOf(alice);
    const refused = await sendForm(browser, await browser.get('/dashboard/account/delete'), '/dashboard/account/delete');
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('There is still money in your wallets.');
  });
});

describe('/dashboard/account/export', () => {
  const exported = async (browser: BrowserSession): Promise<[Visit, Record<string, Record<string, unknown>[]>]> => {
    const file = await browser.get('/dashboard/account/export');
    return [file, JSON.parse(file.text) as Record<string, Record<string, unknown>[]>];
  };

  it('has what is stored about the person, and no secret or other person', async () => {
    await fixture.fund(alice, 20);
    await bob.pay((await alice.invoice(5, 'a note of alice')).paymentRequest);
    await dataOf(app.url, ADD_WEBHOOK, { input: { url: 'http://127.0.0.1:9/hook' } }, await fixture.session(alice));
    const shop = await newOAuthApp(app, { name: 'Shop of the test' });
    await shop.connect(alice);
    await app.pool.query("INSERT INTO username_former (name, user_id) VALUES ('former_of_' || left($2, 20), $1)", [
      alice.userId,
      alice.username,
    ]);
    const [{ status, headers, text }, data] = await exported(await browserOf(alice));
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="sluice-data.json"',
      'cache-control': 'no-store',
    });
    expect(data).toMatchObject({
      user: [
        { id: alice.userId, email: alice.email, username: alice.username, formerUsernames: [`former_of_${alice.username.slice(0, 20)}`] },
      ],
      account: [{ id: alice.accountId, displayCurrency: 'USD' }],
      wallets: expect.arrayContaining([expect.objectContaining({ id: alice.wallets.BTC, balance: 25_000, unit: 'millisatoshi' })]),
      sessions: expect.arrayContaining([expect.objectContaining({ purpose: 'api' }), expect.objectContaining({ purpose: 'page' })]),
      apiKeys: expect.arrayContaining([expect.objectContaining({ name: 'read', scopes: ['read'] })]),
      apps: [expect.objectContaining({ app: 'Shop of the test' })],
      webhooks: [expect.objectContaining({ url: 'http://127.0.0.1:9/hook' })],
      invoices: expect.arrayContaining([expect.objectContaining({ memo: 'a note of alice', state: 'paid' })]),
      transactions: expect.arrayContaining([expect.objectContaining({ memo: 'a note of alice', counterpartyUsername: bob.username })]),
    });
    for (const foreign of [bob.email, bob.userId, bob.accountId, ...Object.values(alice.keys)]) expect(text).not.toContain(foreign);
    // bytea is shown as \\x…: the file has none, and so no hash and no encrypted secret.
    expect(text).not.toMatch(/"\\\\x[0-9a-f]/);
    expect(text).not.toMatch(/passwordHash|tokenHash|keyHash|[sS]ecret"|publicKey/);
    expect((await new BrowserSession(app.url).get('/dashboard/account/export')).status).toBe(303);
  });

  it('has long lists whole, and each row once', async () => {
    await app.pool.query(
      `INSERT INTO notice (id, user_id, kind, details, at) SELECT gen_random_uuid(), $1, 'password_changed', '{}', now() - make_interval(secs => (n / 400)) FROM generate_series(1, 1203) AS n`,
      [alice.userId],
    );
    const [, { notices = [] }] = await exported(await browserOf(alice));
    const ids = notices.filter(({ kind }) => kind === 'password_changed').map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([1203, 1203]);
  });
});

describe('a table about people', () => {
  it('is exported and deleted, or there is a reason why not', async () => {
    const tables = await query<{ table: string; columns: string[] }>(PERSONAL);
    expect(tables.map(({ table }) => table)).toEqual(Object.keys(TABLES).sort());
    const sections = Object.keys(JSON.parse((await (await browserOf(alice)).get('/dashboard/account/export')).text) as object);
    const reasons = Object.values(TABLES).map(({ exported }) => exported);
    expect(sections.filter((section) => !reasons.includes(section) && !['user', 'limits', 'limitsToAsk'].includes(section))).toEqual([]);
    for (const reason of reasons) expect(sections.includes(reason) || reason.includes(' ')).toBe(true);
  });

  it('has no row of a deleted person but where it says why', async () => {
    await bob.pay((await alice.invoice(5, 'a note')).paymentRequest);
    await query('INSERT INTO budget_ask (id, payment_msat) SELECT id::text, 0 FROM api_key WHERE user_id = $1', [alice.userId]);
    expect(await alice.pay((await bob.invoice(5)).paymentRequest)).toMatchObject({ status: 'PENDING' });
    await query('DELETE FROM budget_ask');
    await alice.pay((await bob.invoice(5)).paymentRequest);
    await dataOf(app.url, ADD_WEBHOOK, { input: { url: 'http://127.0.0.1:9/hook' } }, await fixture.session(alice));
    await (await newOAuthApp(app)).connect(alice);
    const tables = await query<{ table: string; columns: string[] }>(PERSONAL);
    const ids = [alice.userId, alice.accountId, alice.wallets.BTC, alice.wallets.USD];
    const rowsIn = async ({ table, columns }: { table: string; columns: string[] }): Promise<boolean> =>
      (await query(`SELECT 1 FROM ${table} WHERE ${columns.map((column) => `${column}::text = ANY ($1)`).join(' OR ')} LIMIT 1`, [ids]))
        .length > 0;
    const found = async (): Promise<string[]> => {
      const had = [];
      for (const each of tables) if (await rowsIn(each)) had.push(each.table);
      return had;
    };
    expect(await found()).toEqual(
      expect.arrayContaining(['account', 'api_key', 'invoice', 'oauth_grant', 'payment_approval', 'session', 'wallet', 'webhook_endpoint']),
    );
    expect(await remove(await fixture.session(alice))).toMatchObject({ success: true });
    await forgotten();
    expect((await found()).filter((table) => TABLES[table]?.deleted === 'all')).toEqual([]);
  });
});
