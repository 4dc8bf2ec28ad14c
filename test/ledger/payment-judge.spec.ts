import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

type Fields = Readonly<Record<string, unknown>>;

/** A payment to judge, as `payment_begin_read` returns it: of those that it needs no more than what is refused is stated. */
interface Case {
  readonly payment?: Fields;
  readonly attempt?: Fields;
  readonly terms?: Fields;
  readonly order?: Fields;
  readonly node_verdict?: string;
  readonly freeze_verdict?: string;
}

const AT = '2026-06-01T00:00:00Z';
const WALLETS = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;
const ACCOUNTS = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'] as const;
const ID = '00000000-0000-4000-8000-0000000000f0';

/** From wallet to wallet, both in bitcoin, which goes to the ledger. */
const caseOf = ({ payment, attempt, terms, order, ...verdicts }: Case, index: number): Fields => ({
  payment: {
    n: index + 1,
    kind: 'intraledger',
    cost_msat: 1_000,
    payer_wallet: WALLETS[0],
    payer_account: ACCOUNTS[0],
    payer_currency: 'BTC',
    payee_wallet: WALLETS[1],
    payee_currency: 'BTC',
    attempt: { amount_msat: 1_000, fee_limit_msat: 0, to_node: false, ...attempt },
    ...payment,
  },
  terms: { amount: 1_000, debit: 1_000, credit: 1_000, rise: 0, ...terms },
  dealer_order: { amount_cents: null, bid: null, ask: null, ...order },
  ...verdicts,
});
const SENT = { kind: 'ln', payee_wallet: null, payee_currency: null };
const TO_DOLLARS: Case = {
  payment: { payee_currency: 'USD' },
  terms: { credit: 60, price: 6_000_000, rise: 60 },
  order: { bid: 6_000_000 },
};

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: true });
  client = new pg.Client(database.connection);
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/** One word for each payment: `goes`, why it is refused, or of which payment it has to wait for the end. */
async function judge(cases: readonly Case[], limits: Fields = {}, owed: number | null = null, most = 100): Promise<string[]> {
  const { rows } = await client.query<{ n: number; verdict: string | null; first: number | null; goes: boolean }>(
    `SELECT j.* FROM unnest(payment_begin_judge(
       ARRAY(SELECT jsonb_populate_record(NULL::payment_case, c) FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS x(c, n) ORDER BY n),
       jsonb_populate_record(NULL::payment_limits, $2::jsonb), $3, $4, $5)) AS j`,
    [JSON.stringify(cases.map(caseOf)), JSON.stringify(limits), owed, most, AT],
  );
  expect(rows.map(({ n }) => n)).toEqual(cases.map((_case, index) => index + 1));
  return rows.map(({ verdict, first, goes }) => (goes ? 'goes' : (verdict ?? `after ${first}`)));
}

describe('the judgement of payments, without a state of the database', () => {
  it.each<[why: string, one: Case]>([
    ['goes', {}],
    ['goes', { payment: SENT }],
    ['settled', { payment: { known_state: 'settled' } }],
    ['pending', { payment: { known_state: 'in_flight' } }],
    ['refused', { payment: { known_state: 'failed' } }],
    ['attempt_reused', { payment: { known_state: 'other' } }],
    ['unknown_wallet', { payment: { payer_wallet: null } }],
    ['text_mismatch', { payment: { ...SENT, is_mismatch: true } }],
    ['already_paid', { payment: { ...SENT, live_id: ID, live_account: ACCOUNTS[0], live_state: 'settled' } }],
    ['pending', { payment: { ...SENT, live_id: ID, live_account: ACCOUNTS[0], live_state: 'in_flight' } }],
    ['being_paid', { payment: { ...SENT, live_id: ID, live_account: ACCOUNTS[1], live_state: 'in_flight' } }],
    ['paid_by_other', { payment: { ...SENT, live_id: ID, live_account: ACCOUNTS[1], live_state: 'settled' } }],
    ['paid_by_other', { payment: { kind: 'internal', invoice_state: 'paid' } }],
    ['not_our_invoice', { payment: SENT, attempt: { to_node: true } }],
    ['unknown_recipient', { payment: { payee_wallet: null } }],
    ['self_payment', { payment: { payee_wallet: WALLETS[0] } }],
    ['cancelled', { payment: { kind: 'internal', invoice_state: 'cancelled' } }],
    ['expired', { payment: { kind: 'internal', invoice_expires_at: AT } }],
    ['expired', { payment: SENT, attempt: { expires_at: AT } }],
    ['wrong_amount', { payment: { kind: 'internal', invoice_amount_msat: 2_000 } }],
    ['insufficient', { payment: { available_msat: 999 } }],
    ['goes', { payment: { available_msat: 1_000 } }],
    ['paid_by_other', { payment: SENT, node_verdict: 'paid_by_other' }],
    ['account_frozen', { freeze_verdict: 'account_frozen' }],
    ['wrong_currency', { order: { amount_cents: 5 } }],
    ['no_price', { payment: { payee_currency: 'USD' } }],
    ['amount_too_small', { ...TO_DOLLARS, terms: { credit: 0, price: 6_000_000, rise: 0 } }],
  ])('%s: %j', async (why, one) => {
    expect(await judge([one])).toEqual([why]);
  });

  it('states of several reasons the first: what is refused anyway is refused for that, frozen or not', async () => {
    const both = { node_verdict: 'being_paid', freeze_verdict: 'sends_stopped' };
    const refusals = ['daily_budget'];
    expect(await judge([{ ...both, payment: { ...SENT, payer_wallet: null } }], { refusals })).toEqual(['unknown_wallet']);
    expect(await judge([{ ...both, payment: SENT }], { refusals })).toEqual(['being_paid']);
    expect(await judge([{ freeze_verdict: 'sends_stopped' }], { refusals })).toEqual(['sends_stopped']);
    expect(await judge([{}], { refusals })).toEqual(['daily_budget']);
  });

  it('lets the first of a hash that may begin go, and the others wait for it', async () => {
    const same = { attempt: { payment_hash: 'ab' }, payment: SENT };
    expect(await judge([{ ...same, freeze_verdict: 'account_frozen' }, same, {}, same])).toEqual([
      'account_frozen',
      'goes',
      'goes',
      'after 2',
    ]);
  });

  it('lets what the dealer may still owe go, in order, and the rest wait', async () => {
    expect(await judge([TO_DOLLARS, TO_DOLLARS, {}], {}, 0, 100)).toEqual(['goes', 'after 2', 'goes']);
    expect(await judge([TO_DOLLARS, TO_DOLLARS], {}, 0, 120)).toEqual(['goes', 'goes']);
    expect(await judge([TO_DOLLARS], {}, 41, 100)).toEqual(['dealer_limit']);
  });

  const spends = [1, 2, 3].map((n) => ({ n, owner: ACCOUNTS[0], part: 'internal_send', most: 100, refusal: 'internal_send_limit' }));
  const rests = spends.map(() => ({ rest: 100, cost: 60 }));

  it('lets what a limit covers together go, in order, and the rest wait', async () => {
    expect(await judge([{}, {}, {}], { spends, rests, is_within: false })).toEqual(['goes', 'after 2', 'after 3']);
    const others = spends.map((spend, index) => ({ ...spend, owner: ACCOUNTS[index % 2] }));
    expect(await judge([{}, {}, {}], { spends: others, rests, is_within: false })).toEqual(['goes', 'goes', 'after 3']);
  });

  it('does not count a refused payment in a limit, nor one that waits for the dealer', async () => {
    const limits = { spends, rests, is_within: false };
    expect(await judge([{ freeze_verdict: 'account_frozen' }, {}, {}], limits)).toEqual(['account_frozen', 'goes', 'after 3']);
    expect(await judge([TO_DOLLARS, TO_DOLLARS], {}, 40, 100)).toEqual(['goes', 'after 2']);
  });
});
