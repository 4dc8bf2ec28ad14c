import { MAX_OPEN_ADJUSTMENTS } from '../../src/operator/adjustment/index.js';
import { Events } from '../../src/platform/events/index.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { UserService } from '../../src/access/user/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { dataOf } from '../support/graphql.js';
import { OperatorCommand, typing } from '../support/operator-command.js';

const HISTORY = `{ me { defaultAccount { transactions(first: 5) { edges { node {
  id direction status memo settlementAmount settlementFee
  initiationVia { __typename ... on InitiationViaIntraLedger { counterPartyUsername counterPartyWalletId } }
} } } } } }`;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const WRONG = 'no such password';

describe('sluice adjust', () => {
  let app: TestApp;
  let fixture: Fixture;
  let sluice: OperatorCommand;
  let ann: Person;
  let ben: Person;
  let alice: Person;

  beforeAll(async () => {
    // Many wait for one row, and a pause of this process holds it.
    const patient = { DATABASE_LOCK_MS: '60000', DATABASE_STATEMENT_SECONDS: '120' };
    app = await createTestApp({ env: { ...patient, PAYMENT_WAIT_SECONDS: '1', THROTTLE_SIGN_IN_ACCOUNT: '3/900' } });
    [fixture, sluice] = [new Fixture(app), new OperatorCommand(app)];
  });
  beforeEach(async () => {
    [ann, ben, alice] = [await fixture.user(), await fixture.user(), await fixture.user({ sats: 1_000 })];
    for (const { email } of [ann, ben]) await app.get(UserService).makeOperator(email);
    typing(PASSWORD);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await fixture.expectBalanced();
  });
  afterAll(() => app.close());

  const propose = async (sats: number, ...more: string[]): Promise<string> => {
    const words = ['--account', alice.username, `--sats=${sats}`, '--operator', ann.username, '--because', 'a lost payment', ...more];
    return (await sluice.json<{ id: string }>('adjust', 'propose', ...words)).id;
  };
  const decide = (decision: 'approve' | 'refuse', id: string, by = ben): Promise<string> =>
    sluice.run('adjust', decision, id, '--operator', by.email, '--because', 'checked with the node');
  const approve = (id: string, by = ben): Promise<string> => decide('approve', id, by);
  const actions = async (subject: string): Promise<unknown[]> =>
    (await app.pool.query('SELECT who, action, because FROM operator_action WHERE subject = $1 ORDER BY id', [subject])).rows;
  const history = async (): Promise<unknown[]> => {
    type Answer = { me: { defaultAccount: { transactions: { edges: { node: unknown }[] } } } };
    const { me } = await dataOf<Answer>(app.url, HISTORY, {}, alice.as('read'));
    return me.defaultAccount.transactions.edges.map(({ node }) => node);
  };
  const journals = async (): Promise<number> =>
    (await app.pool.query("SELECT 1 FROM ledger_journal WHERE kind = ledger_journal_kind('adjustment')")).rows.length;
  const balanceOfAdjustments = async (): Promise<bigint> =>
    (await app.pool.query<{ posted: bigint }>("SELECT posted FROM ledger_account WHERE label = 'adjustment'")).rows[0]?.posted ?? 0n;

  it('moves nothing before a second operator approves; then the balance, the history, an event and the log show it', async () => {
    const before = await balanceOfAdjustments();
    const id = await propose(250, '--memo', 'For the payment of Monday');
    expect(await alice.sats()).toBe(1_000);
    expect(await history()).toHaveLength(1);
    expect(await app.get(Metrics).text()).toMatch(/^sluice_adjustments_open 1$/m);

    const heard: string[] = [];
    const off = app.get(Events).on('transaction.changed', (row) => void heard.push(row.id));
    expect(await approve(id)).toBe(`${id} approved`);
    await eventually(() => heard.includes(id));
    off();
    expect(await alice.sats()).toBe(1_250);
    expect(await balanceOfAdjustments()).toBe(before - 250_000n);
    expect((await history())[0]).toEqual({
      id,
      direction: 'RECEIVE',
      status: 'SUCCESS',
      memo: 'For the payment of Monday',
      settlementAmount: 250,
      settlementFee: 0,
      initiationVia: { __typename: 'InitiationViaIntraLedger', counterPartyUsername: null, counterPartyWalletId: null },
    });
    expect(await actions(id)).toEqual([
      { who: ann.username, action: 'adjust propose', because: 'a lost payment' },
      { who: ben.username, action: 'adjust approve', because: 'checked with the node' },
    ]);
    expect(await sluice.json('adjust', 'show', id)).toMatchObject({
      id,
      state: 'approved',
      amountMsat: '250000',
      accountId: alice.accountId,
      proposer: ann.username,
      decider: ben.username,
      actions: [{ action: 'adjust propose' }, { action: 'adjust approve' }],
    });
    expect(await sluice.run('adjust', 'list')).toContain(`${id}  approved  +250000 msat`);
    expect(await app.get(Metrics).text()).toMatch(/^sluice_adjustments_open 0$/m);
  });

  it('takes money too, and shows that as a payment of the customer without a recipient', async () => {
    await approve(await propose(-400));
    expect(await alice.sats()).toBe(600);
    expect((await history())[0]).toMatchObject({ direction: 'SEND', settlementAmount: -400, memo: 'Adjustment by the operator' });
  });

  it('is booked once by many approvals at once, of which one succeeds', async () => {
    const [id, before] = [await propose(100), await journals()];
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => approve(id)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await alice.sats()).toBe(1_100);
    expect(await journals()).toBe(before + 1);
    expect(await actions(id)).toHaveLength(2);
    await expect(approve(id)).rejects.toThrow('was approved before');
    await expect(decide('refuse', id)).rejects.toThrow('was approved before');
  });

  it('is either approved or refused, by whichever of both at once is first', async () => {
    const id = await propose(100);
    const outcomes = await Promise.allSettled([approve(id), decide('refuse', id, ann), approve(id), decide('refuse', id, ann)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { state } = await sluice.json<{ state: string }>('adjust', 'show', id);
    expect(await alice.sats()).toBe(state === 'approved' ? 1_100 : 1_000);
  });

  it('is not approved by the operator who proposed it, who may withdraw it; after that, by no operator', async () => {
    const id = await propose(100);
    await expect(approve(id, ann)).rejects.toThrow('Another operator than the one who proposed it');
    expect(await decide('refuse', id, ann)).toBe(`${id} refused`);
    await expect(approve(id)).rejects.toThrow('was refused before');
    expect(await alice.sats()).toBe(1_000);
    expect(await actions(id)).toHaveLength(2);
    await expect(
      app.pool.query(`UPDATE adjustment SET state = 'approved', decided_by = proposed_by, decided_at = now() WHERE id = $1`, [id]),
    ).rejects.toThrow('adjustment_two_operators');
  });

  it('is not approved by the owner of the account, nor by or for a dismissed operator, nor by a customer', async () => {
    await app.get(UserService).makeOperator(alice.email);
    const id = await propose(100);
    await expect(approve(id, alice)).rejects.toThrow('The account is your own');
    await sluice.run('operator', 'remove', alice.username, '--because', 'left the company');
    await expect(approve(id, alice)).rejects.toThrow('There is no operator with this name and this password');
    await sluice.run('operator', 'remove', ann.username, '--because', 'left the company');
    await expect(approve(id)).rejects.toThrow('is no operator any more');
    expect(await alice.sats()).toBe(1_000);
    expect(await decide('refuse', id)).toBe(`${id} refused`);
  });

  it('needs the password, and after too many wrong ones compares none; each wrong one is in the log', async () => {
    const id = await propose(100);
    typing(WRONG);
    const guesses = await Promise.allSettled(Array.from({ length: 6 }, () => approve(id)));
    const refusals = guesses.map((guess) => (guess.status === 'rejected' ? (guess.reason as Error).message : 'approved'));
    expect(refusals.filter((refusal) => refusal.startsWith('There is no operator'))).toHaveLength(3);
    expect(refusals.filter((refusal) => /^Too many wrong passwords. Try again in \d+ seconds$/.test(refusal))).toHaveLength(3);
    expect((await actions(ben.userId)).filter((entry) => (entry as { action: string }).action === 'wrong password')).toHaveLength(3);
    typing(PASSWORD);
    await expect(approve(id)).rejects.toThrow('Too many wrong passwords');
    expect(await alice.sats()).toBe(1_000);
    // Other operators are not affected.
    expect(await decide('refuse', id, ann)).toBe(`${id} refused`);
  });

  it('does not overdraw an account while a payment holds its money, and can be approved when the payment has failed', async () => {
    const outside = await fixture.outside(800, { hold: true });
    expect(await alice.pay(outside.paymentRequest)).toMatchObject({ status: 'PENDING' });
    const id = await propose(-500);
    await expect(approve(id)).rejects.toThrow('The account has less than that, without what its payments in flight hold');
    expect(await sluice.json('adjust', 'show', id)).toMatchObject({
      state: 'open',
      decider: null,
      actions: [{ action: 'adjust propose' }],
    });
    await fixture.release(outside.paymentHash, 'no_route');
    await eventually(async () => (await alice.sats()) === 1_000);
    await approve(id);
    expect(await alice.sats()).toBe(500);
    await expect(approve(await propose(-501))).rejects.toThrow('The account has less than that');
    expect(await alice.sats()).toBe(500);
  });

  it('races a payment for the last satoshis: one of both is refused, and no balance is below zero', async () => {
    const id = await propose(-900);
    const request = (await fixture.outside(800, { routeFeeMsat: 0n })).paymentRequest;
    const [adjusted, paid] = await Promise.allSettled([approve(id), alice.pay(request)]);
    // A payment that has begun settles, though a busy machine may take longer than the second for which its caller waits.
    const isPaid = paid.status === 'fulfilled' && (paid.value as { status: string }).status !== 'FAILURE';
    expect(isPaid).toBe(adjusted.status === 'rejected');
    await eventually(async () => (await alice.sats()) === (isPaid ? 200 : 100));
  });

  it('expires, and at most a bounded number is open', async () => {
    const id = await propose(100, '--expires-in-hours', '1');
    await app.pool.query(`UPDATE adjustment SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    await expect(approve(id)).rejects.toThrow('This adjustment has expired');
    expect(await sluice.run('adjust', 'list')).toContain(`${id}  expired`);
    await app.pool.query(`DELETE FROM adjustment WHERE state = 'open'`);
    await app.pool.query(
      `INSERT INTO adjustment (id, wallet_id, amount_msat, memo, because, proposed_by, expires_at)
         SELECT gen_random_uuid(), $1, 1, '', 'x', $2, now() + interval '1 hour' FROM generate_series(1, $3)`,
      [alice.wallets.BTC, ann.userId, MAX_OPEN_ADJUSTMENTS - 1],
    );
    const outcomes = await Promise.allSettled([propose(1), propose(1), propose(1)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(propose(1)).rejects.toThrow(`There are ${MAX_OPEN_ADJUSTMENTS} open adjustments`);
    await app.pool.query('DELETE FROM adjustment WHERE amount_msat = 1');
  });

  it('accepts millisatoshis, and refuses what it cannot read', async () => {
    const by = ['--operator', ann.username, '--because', 'x'];
    const refused = (words: string[], sentence: string): Promise<void> => expect(sluice.run('adjust', ...words)).rejects.toThrow(sentence);
    const { id } = await sluice.json<{ id: string }>('adjust', 'propose', '--account', alice.accountId, '--msat', '1500', ...by);
    await approve(id);
    expect(await alice.sats()).toBe(1_001);
    await refused(['propose', '--account', alice.accountId, ...by], 'Give either --sats or --msat');
    await refused(['propose', '--account', alice.accountId, '--sats', '0', ...by], 'The amount must not be 0');
    await refused(['propose', '--account', alice.accountId, '--sats', '1.5', ...by], 'must be a whole number');
    await refused(['propose', '--account', alice.accountId, '--msat', '9'.repeat(19), ...by], 'more than all bitcoin');
    await refused(['propose', '--account', UNKNOWN, '--sats', '1', ...by], 'There is no account with this id');
    await refused(['propose', '--account', 'zelda', '--sats', '1', ...by], 'There is no user "zelda"');
    await refused(
      ['propose', '--account', alice.accountId, '--sats', '1', '--expires-in-hours', '721', ...by],
      'expires in 1 to 720 hours',
    );
    await refused(['propose', '--account', alice.accountId, '--sats', '1', '--operator', 'nemo', '--because', 'x'], 'There is no operator');
    await refused(['propose', '--account', alice.accountId, '--sats', '1', '--operator', ann.email, '--because', ' '], 'must not be empty');
    await refused(['approve', UNKNOWN, ...by], 'No adjustment with this id');
    await refused(['show', UNKNOWN], 'No adjustment with this id');
    await refused(['show', 'it'], 'must be a UUID');
  });
});

describe('sluice operator', () => {
  let app: TestApp;
  let sluice: OperatorCommand;
  let nora: Person;

  beforeAll(async () => {
    app = await createTestApp();
    [sluice, nora] = [new OperatorCommand(app), await new Fixture(app).user({ username: 'nora' })];
  });
  afterAll(() => app.close());

  it('makes users operators and dismisses them, and the log says who, when and why, in pages', async () => {
    expect(await sluice.run('operator', 'list')).toContain('There are no operators');
    expect(await sluice.run('operator', 'add', 'nora', '--because', 'works here')).toBe('nora is an operator now.');
    await expect(sluice.run('operator', 'add', nora.email, '--because', 'again')).rejects.toThrow('nora is an operator already');
    expect(await sluice.json('operator', 'list')).toEqual([{ id: nora.userId, username: 'nora', email: nora.email }]);
    await expect(sluice.run('operator', 'add', 'zelda', '--because', 'x')).rejects.toThrow('There is no user "zelda"');
    await expect(sluice.run('operator', 'remove', 'nora', '--because', ' ')).rejects.toThrow('--because must not be empty');
    expect(await sluice.run('operator', 'remove', 'nora', '--because', 'left')).toBe('nora is no operator now.');
    await expect(sluice.run('operator', 'remove', 'nora', '--because', 'left')).rejects.toThrow('nora is no operator');

    type Entry = { id: string; who: string; action: string; subject: string; because: string };
    const entries = await sluice.json<Entry[]>('operator', 'log', '--subject', nora.userId, '--action', 'operator');
    expect(entries).toEqual([
      expect.objectContaining({ action: 'operator remove', because: 'left', who: expect.stringMatching(/./) as string }),
      expect.objectContaining({ action: 'operator add', because: 'works here', subject: nora.userId }),
    ]);
    const [latest, earlier] = entries;
    const page = await sluice.run('operator', 'log', '--subject', nora.userId, '--limit', '1');
    expect(page).toMatch(new RegExp(`^${latest?.id}  .*left\\nMore: sluice operator log --before ${latest?.id}, with the same options$`));
    expect(await sluice.json('operator', 'log', '--subject', nora.userId, '--before', latest?.id ?? '')).toMatchObject([
      { id: earlier?.id },
    ]);
    expect(await sluice.run('operator', 'log', '--who', 'zelda')).toBe('No such entries.');
    await expect(sluice.run('operator', 'log', '--limit', '0')).rejects.toThrow('--limit must be 1 to 1000');
    await expect(sluice.run('operator', 'log', '--before', 'x')).rejects.toThrow('--before must be the number of an entry');
  });
});
