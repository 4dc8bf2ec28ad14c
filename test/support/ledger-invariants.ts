import type pg from 'pg';
import { eventually } from '../../src/testing/eventually.js';

/**
 * Invariants of the money, checked from outside: the ledger against the simulated node's own tables, and the history against the
 * ledger. Each statement returns the rows that violate its rule.
 */
const ALWAYS: Readonly<Record<string, string>> = {
  'the audit is zero': 'SELECT what, n FROM ledger_audit WHERE n <> 0',
  'a settled payment costs what the node reports': `
    SELECT p.id, p.payment_hash FROM payment p LEFT JOIN simulator.payment s ON s.payer = 'ours' AND s.payment_hash = p.payment_hash AND s.state = 'settled'
     WHERE p.kind = 'ln' AND p.state = 'settled' AND (s.id IS NULL OR s.amount_msat <> p.amount_msat OR s.fee_msat <> p.fee_msat)`,
  'each credit has a settlement at the node': `
    SELECT t.id, t.payment_hash FROM transaction t LEFT JOIN simulator.payment s ON s.payer = 'outside' AND s.payment_hash = t.payment_hash AND s.state = 'settled'
     WHERE t.direction = 'RECEIVE' AND t.settlement = 'ln' AND (s.id IS NULL OR t.currency = 'BTC' AND s.amount_msat <> t.amount)`,
  'a paid invoice has the payment that it names': `
    SELECT i.payment_hash, i.settled_via FROM invoice i WHERE i.state = 'paid' AND NOT CASE i.settled_via
      WHEN 'internal' THEN EXISTS (SELECT FROM payment p WHERE p.payment_hash = i.payment_hash AND p.kind = 'internal' AND (p.amount_msat = coalesce(i.amount_msat, p.amount_msat)
        -- The payer of an invoice in dollars pays the satoshis of now; its recipient gets its cents.
        OR EXISTS (SELECT FROM transaction t WHERE t.payment_hash = i.payment_hash AND t.direction = 'RECEIVE' AND t.amount = i.amount_cents)))
      ELSE EXISTS (SELECT FROM transaction t WHERE t.payment_hash = i.payment_hash AND t.direction = 'RECEIVE' AND t.settlement = 'ln') END`,
  'an internal payment debits one wallet and credits one': `
    SELECT p.id FROM payment p WHERE p.kind = 'internal' AND p.dealer_cents_per_btc IS NULL AND
      (SELECT array_agg(t.amount ORDER BY t.amount) FROM transaction t WHERE t.payment_hash = p.payment_hash AND t.settlement = 'intraledger' AND t.status = 'SUCCESS')
      IS DISTINCT FROM ARRAY[-coalesce(p.amount_cents, p.amount_msat), coalesce(p.amount_cents, p.amount_msat)]`,
  'the dealer gives one currency for the other': `
    SELECT j.id FROM ledger_journal j JOIN ledger_entry b ON b.journal_id = j.id AND b.account_id = -3 JOIN ledger_entry u ON u.journal_id = j.id AND u.account_id = -4
     WHERE (b.amount > 0) = (u.amount > 0)`,
  'a wallet is the sum of its history': `
    SELECT w.id, a.posted, h.settled, a.held, h.pending FROM wallet w JOIN ledger_account a ON a.id = w.ledger_account_id
     CROSS JOIN LATERAL (SELECT coalesce(sum(t.amount) FILTER (WHERE t.status = 'SUCCESS'), 0) AS settled, coalesce(-sum(t.amount) FILTER (WHERE t.status = 'PENDING' AND t.direction = 'SEND'), 0) AS pending
                           FROM transaction t WHERE t.wallet_id = w.id) h
     WHERE a.posted <> h.settled OR a.held <> h.pending AND NOT EXISTS (SELECT FROM deposit d WHERE d.wallet_id = w.id AND d.hold_id IS NOT NULL)`,
  'a payment and its row in the history have the same status': `
    SELECT p.id, p.state, t.status FROM payment p LEFT JOIN transaction t ON t.id = p.id
     WHERE t.status IS DISTINCT FROM CASE p.state WHEN 'settled' THEN CASE WHEN p.failure IS NULL THEN 'SUCCESS' ELSE 'FAILURE' END WHEN 'failed' THEN 'FAILURE' ELSE 'PENDING' END`,
  'a payment hash was paid once': `SELECT payment_hash FROM payment WHERE state <> 'failed' AND payment_hash IS NOT NULL GROUP BY 1 HAVING count(*) > 1`,
};

const IN_FLIGHT = 'nothing is in flight';

/** What holds once nothing moves any more. */
const QUIET: Readonly<Record<string, string>> = {
  [IN_FLIGHT]: `SELECT id, payment_hash FROM payment WHERE state = 'in_flight'`,
  'each payment that the node settled was charged': `
    SELECT s.payment_hash FROM simulator.payment s WHERE s.payer = 'ours' AND s.state = 'settled'
       AND NOT EXISTS (SELECT FROM payment p WHERE p.payment_hash = s.payment_hash AND p.state = 'settled')`,
  'each settlement was credited once': `
    SELECT s.payment_hash FROM simulator.payment s WHERE s.payer = 'outside' AND s.state = 'settled'
       AND (SELECT count(*) FROM transaction t WHERE t.payment_hash = s.payment_hash AND t.direction = 'RECEIVE' AND t.settlement = 'ln') <> 1`,
  'the sum of balances equals the node’s balance': `
    SELECT owed, has FROM (SELECT -posted AS owed FROM ledger_account WHERE id = -1) AS o,
      (SELECT coalesce(sum(CASE payer WHEN 'outside' THEN amount_msat ELSE -amount_msat - fee_msat END), 0) AS has FROM simulator.payment WHERE state = 'settled') AS n
     WHERE owed <> has`,
};

/** Violated rules, each with the rows that violate it. */
export type Violations = Record<string, unknown[]>;

async function judge(pool: pg.Pool, rules: Readonly<Record<string, string>>): Promise<Violations> {
  const broken: Violations = {};
  for (const [rule, text] of Object.entries(rules)) {
    const { rows } = await pool.query<Record<string, unknown>>(text);
    if (rows.length > 0) broken[rule] = rows;
  }
  return broken;
}

/** The rules that hold at every moment, also while money moves. */
export const violationsNow = (pool: pg.Pool): Promise<Violations> => judge(pool, ALWAYS);

/**
 * Waits until nothing moves, and then until every rule holds or the time is over. @returns `{}` when all rules hold
 * @param held payment hashes that the outside holds, and that therefore stay in flight
 */
export async function violationsAtRest(pool: pg.Pool, held: readonly string[] = []): Promise<Violations> {
  let broken: Violations = {};
  const isQuiet = async (): Promise<boolean> => {
    const { [IN_FLIGHT]: flying = [], ...others } = await judge(pool, { ...QUIET, ...ALWAYS });
    const unforeseen = flying.filter((row) => !held.includes((row as { payment_hash: string }).payment_hash));
    broken = { ...others, ...(unforeseen.length > 0 && { [IN_FLIGHT]: unforeseen }) };
    return Object.keys(broken).length === 0;
  };
  await eventually(isQuiet).catch((error: unknown) => {
    if (Object.keys(broken).length === 0) throw error;
  });
  return broken;
}
