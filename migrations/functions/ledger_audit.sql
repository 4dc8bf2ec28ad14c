-- Every n is zero, also while money moves: a view is one statement, hence one snapshot.

CREATE OR REPLACE VIEW ledger_audit_balances (what, n) AS  -- a currency whose accounts do not sum to zero
  SELECT 'currency_unbalanced', count(*)
    FROM (SELECT FROM ledger_account GROUP BY currency HAVING sum(posted) <> 0) q
UNION ALL  -- an account whose held is not the sum of its open holds
  SELECT 'held_differs', count(*)
    FROM ledger_account a
      LEFT JOIN (SELECT account_id, sum(amount) AS total FROM ledger_hold WHERE state = 'open'
        GROUP BY account_id) h ON h.account_id = a.id
   WHERE a.held <> coalesce(h.total, 0)
UNION ALL
  SELECT 'overdrawn', count(*) FROM ledger_account WHERE posted < held AND NOT allow_negative;

CREATE OR REPLACE VIEW ledger_audit (what, n) AS
  SELECT what, n FROM ledger_audit_balances
UNION ALL
  SELECT 'journal_unbalanced', count(*)
    FROM (SELECT FROM ledger_entry GROUP BY journal_id, currency HAVING sum(amount) <> 0) q
UNION ALL  -- an account whose posted is not the sum of its entries
  SELECT 'posted_differs', count(*)
    FROM ledger_account a
      LEFT JOIN (SELECT account_id, sum(amount) AS total FROM ledger_entry GROUP BY account_id) e ON e.account_id = a.id
   WHERE a.posted <> coalesce(e.total, 0)
UNION ALL  -- an account whose history skips, repeats or reorders a balance
  SELECT 'balance_chain', count(*)
    FROM (SELECT e.balance_after,
      lag(e.balance_after, 1, 0::bigint) OVER (PARTITION BY e.account_id ORDER BY e.journal_id) + e.amount AS expected
      FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id AND NOT a.hot) q
   WHERE q.balance_after IS DISTINCT FROM q.expected
UNION ALL  -- an entry of no journal, of no account, or in another currency than its account's
  SELECT 'entry_orphan', count(*)
    FROM ledger_entry e LEFT JOIN ledger_journal j ON j.id = e.journal_id
      LEFT JOIN ledger_account a ON a.id = e.account_id AND a.currency = e.currency
   WHERE j.id IS NULL OR a.id IS NULL
UNION ALL  -- a post or capture without entries, or a hold or void with entries
  SELECT 'journal_entries', count(*)
    FROM ledger_journal j LEFT JOIN (SELECT DISTINCT journal_id FROM ledger_entry) e ON e.journal_id = j.id
   WHERE (j.op IN ('post', 'capture')) <> (e.journal_id IS NOT NULL)
UNION ALL  -- a hold whose journals do not match its state, or journals without a hold
  SELECT 'hold_journals', count(*)
    FROM ledger_hold h FULL
      JOIN (SELECT hold_id, array_agg(op ORDER BY id) AS ops FROM ledger_journal WHERE hold_id IS NOT NULL
        GROUP BY hold_id) j ON j.hold_id = h.id
   WHERE j.ops IS DISTINCT FROM CASE h.state WHEN 'open' THEN '{hold}' WHEN 'captured' THEN '{hold,capture}'
     WHEN 'voided' THEN '{hold,void}' END::text[]
      OR h.id IS NULL
UNION ALL  -- a post with a hold, or another operation without one
  SELECT 'journal_hold', count(*) FROM ledger_journal WHERE (op = 'post') <> (hold_id IS NULL)
UNION ALL  -- a capture that took nothing from its hold's account, or more than the hold
  SELECT 'capture_exceeds', count(*)
    FROM ledger_journal j JOIN ledger_hold h ON h.id = j.hold_id
      LEFT JOIN ledger_entry e ON e.journal_id = j.id AND e.account_id = h.account_id
   WHERE j.op = 'capture' AND (-e.amount BETWEEN 1 AND h.amount) IS NOT TRUE;
