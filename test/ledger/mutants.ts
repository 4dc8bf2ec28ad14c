import assert from 'node:assert/strict';
import { playAgainstModel } from './against-model.js';
import { run } from './races.js';
import { play } from './rules.js';
import { ledgerSql } from './ledger-fixture.js';

type Notice = (sql: string) => Promise<unknown>;

/** The parts of the proof that must fail for a mutant. */
const rule = (name: string): Notice => (sql) => play(name, sql); // prettier-ignore
const model: Notice = async (sql) => {
  for (let seed = 0; seed < 4; seed++) await playAgainstModel({ seed, batches: 30, sql });
};
const race = (name: Parameters<typeof run>[0], rounds: number): Notice => (sql) => run(name, rounds, sql); // prettier-ignore

const LOCKS_ORDER = 'PERFORM 1 FROM ledger_account WHERE id = ANY (p_touched) AND NOT hot ORDER BY id FOR NO KEY UPDATE;';
const HOT_ORDER = 'PERFORM 1 FROM ledger_account WHERE id = ANY (p_hot_ids) ORDER BY id FOR NO KEY UPDATE;';
/** Every second session the other way: its number is its name. */
const EITHER_WAY = "id * (1 - 2 * (current_setting('application_name')::int % 2))";

/** Bugs, each planted in the SQL by replacing every occurrence of a text, and the part of the proof that must fail for it. */
export const mutants: Readonly<Record<string, readonly [text: string, replacement: string, notice: Notice]>> = {
  'legs of an account are not added up': ['FROM leg GROUP BY op, account, currency', 'FROM leg GROUP BY op, account, currency, leg.amount', rule('legs on one account are judged together')],
  'currencies balance each other': ['PARTITION BY op, currency', 'PARTITION BY op', rule('each currency balances by itself')],
  'amounts are not bounded': ["WHEN abs(l.amount) > c_max THEN 'out_of_range'", '', rule('amounts are bounded: nothing overflows, NaN and infinity are no money')],
  'fractions are let in': ['OR l.amount <> trunc(l.amount)', '', rule('what is malformed is its own problem')],
  'a hot account can hold': ['AND NOT l.hot', '', rule('what is malformed is its own problem')],
  'a capture is not bounded by its hold': ["WHEN p_debit > p_hold_amount THEN 'hold_exceeded'", '', rule('a capture never exceeds its hold, whatever the balance')],
  'a capture may leave the held account alone': ["WHEN p_debit > 0 IS NOT TRUE THEN 'invalid'", '', rule('a capture works when the hold is all there is; its other accounts are judged as in a post')],
  'held money may be spent': ['WHEN p_posted < p_held AND', 'WHEN p_posted < 0 AND', rule('what is held is not available')],
  'overdrafts are let in': ['AND NOT p_allow_negative', 'AND p_allow_negative', model],
  'every known key is a duplicate': ["<> p_content THEN 'conflict'", "<> p_content THEN 'duplicate'", rule('a key is accepted once: a duplicate of the same, a conflict with anything else')],
  'a batch forgets its own keys': ['contents[width_bucket(o.idem, keys)] := o.content;', '', model],
  'a batch forgets the holds that it ended': ['IF hold.id IS NOT NULL THEN holds[width_bucket(hold.id, keys)] := hold; END IF;', '', rule('a hold may be made and end in one batch')],
  'a void keeps the money': ['held := -hold.amount;', "held := CASE o.op WHEN 'void' THEN 0 ELSE -hold.amount END;", rule('a hold ends once')],
  'hot accounts are forgotten': ["IF p_hot_ids <> '{}' THEN", 'IF false THEN', model],
  'the last entry of an account wins': ['SELECT e.account_id, sum(e.amount) AS amount', 'SELECT e.account_id, max(e.amount) AS amount', model],
  'balance_after is the amount': ['CASE WHEN NOT account.hot THEN account.posted END', 'CASE WHEN NOT account.hot THEN o.amounts[i] END', model],
  'one failure fails the batch': ["RAISE WARNING 'ledger: a batch of %", "RAISE EXCEPTION 'ledger: a batch of %", rule('an unforeseen error fails one operation: order and dependencies of the others hold')],
  'a hot account beyond the bound is unforeseen': ["IF violated = 'ledger_account_range' THEN", 'IF false THEN', rule('balances are bounded: of customers at once, of hot accounts at the end')],
  'the batch always fails': ["IF journals <> '{}' THEN PERFORM", "IF cardinality(journals) > 1 THEN RAISE 'slow'; ELSIF journals <> '{}' THEN PERFORM", model],
  'failures of the database are answered': ["IN ('40', '53', '55', '57', '58')", "IN ('40')", rule('a failure of the database is raised, not answered')],
  'it may be called twice': ["IF current_setting('ledger.applied', true) = 'yes' THEN", 'IF false THEN', rule('used wrongly it raises, and nothing has happened')],
  'a batch of null is an empty one': ['IF p_operations IS NULL THEN', 'IF false THEN', rule('used wrongly it raises, and nothing has happened')],
  'history can be rewritten': ['CREATE TRIGGER ledger_entry_append_only BEFORE UPDATE OR DELETE', 'CREATE TRIGGER ledger_entry_append_only BEFORE DELETE', rule('history only grows, also for a session that plays a replica')],
  'plans may read whole tables': ['SET enable_seqscan = off', 'SET enable_seqscan = on', rule('plans made while the tables were empty do not read whole tables when they are full')],
  'plans may read whole indexes': [' AND j.idem = ANY (keys)', '', rule('plans made while the tables were empty do not read whole tables when they are full')],
  'accounts are not locked': [LOCKS_ORDER, 'PERFORM 1 FROM ledger_account WHERE id = ANY (p_touched) AND NOT hot ORDER BY id;', race('narrow', 200)],
  'accounts are locked in any order': [LOCKS_ORDER, LOCKS_ORDER.replace('PERFORM 1', 'PERFORM pg_sleep(0.002)').replace('ORDER BY id', `ORDER BY ${EITHER_WAY}`), race('crossing', 120)],
  'a key taken meanwhile is taken for ours': ['IF written < cardinality(p_journals) THEN', 'IF false THEN', race('narrow', 200)],
  'keys are written in any order': ['FROM unnest(p_journals) j ORDER BY j.idem', 'FROM unnest(p_journals) j', race('crossing', 120)],
  'hot accounts are locked in any order': [HOT_ORDER, HOT_ORDER.replace('PERFORM 1', 'PERFORM pg_sleep(0.002)').replace('ORDER BY id', `ORDER BY ${EITHER_WAY}`), race('crossing', 120)],
  'a replay leaves the journal to others': ['LOCK TABLE ledger_journal IN SHARE ROW EXCLUSIVE MODE;', '', race('crossing', 120)],
  'hot accounts are locked first': [LOCKS_ORDER, LOCKS_ORDER.replace('AND NOT hot ORDER BY id', `ORDER BY hot DESC, ${EITHER_WAY}`), race('crossing', 120)],
}; // prettier-ignore

/** Plants a bug. @returns the error that the proof reports; an empty text is a hole in the proof */
export async function plant(name: string): Promise<string> {
  const [text, replacement, notice] = mutants[name] ?? [];
  const sql = ledgerSql();
  assert.ok(text !== undefined && replacement !== undefined && notice && sql.includes(text), `the text to change is gone: ${text}`);
  return notice(sql.replaceAll(text, replacement)).then(
    () => '',
    (error: unknown) => String(error),
  );
}
