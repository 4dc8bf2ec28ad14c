-- A journal with a lower id may commit after one with a higher id, so an audit must not pass an id that a running
-- transaction may have. Each call notes the last id taken, and then gets a transaction number: a transaction locks
-- accounts, which gives it its number, before it takes an id, so each that has a noted id has a lower number. Once no
-- lower one runs, a later call audits up to that id.

CREATE OR REPLACE FUNCTION ledger_audit_accounts() RETURNS TABLE (what text, n bigint) LANGUAGE sql STABLE
SET search_path FROM CURRENT AS $$
  SELECT what, n FROM ledger_audit_balances
UNION ALL  -- hot accounts: the entries up to the mark have been added up, the others are few
  SELECT 'posted_differs', count(*)
    FROM ledger_account a, ledger_audit_mark m
   WHERE a.hot
     AND a.posted <> coalesce((SELECT t.posted FROM ledger_audit_total t WHERE t.account_id = a.id), 0)
       + coalesce((SELECT sum(e.amount) FROM ledger_entry e WHERE e.account_id = a.id AND e.journal_id > m.journal_id),
         0)
$$;

-- Every n is zero.
CREATE OR REPLACE FUNCTION ledger_audit_journals(p_after bigint, p_upto bigint) RETURNS TABLE (what text, n bigint)
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  WITH journal AS MATERIALIZED (SELECT * FROM ledger_journal WHERE id > p_after AND id <= p_upto),
       entry AS MATERIALIZED (SELECT * FROM ledger_entry WHERE journal_id > p_after AND journal_id <= p_upto),
       chained AS MATERIALIZED (SELECT e.* FROM entry e JOIN ledger_account a ON a.id = e.account_id AND NOT a.hot)
  SELECT 'journal_unbalanced', count(*)
    FROM (SELECT FROM entry GROUP BY journal_id, currency HAVING sum(amount) <> 0) q
UNION ALL
  SELECT 'posted_differs', count(*)
    FROM (SELECT DISTINCT account_id FROM chained) c JOIN ledger_account a ON a.id = c.account_id
   WHERE a.posted IS DISTINCT FROM (SELECT e.balance_after FROM ledger_entry e WHERE e.account_id = a.id
     ORDER BY e.journal_id DESC LIMIT 1)
UNION ALL  -- from the entry before, and to the entry after, which may have been audited earlier
  SELECT 'balance_chain', count(*)
    FROM chained c
    LEFT JOIN LATERAL (SELECT e.balance_after FROM ledger_entry e
      WHERE e.account_id = c.account_id AND e.journal_id < c.journal_id ORDER BY e.journal_id DESC LIMIT 1) b ON true
    LEFT JOIN LATERAL (SELECT e.balance_after - e.amount AS found FROM ledger_entry e
      WHERE e.account_id = c.account_id AND e.journal_id > c.journal_id ORDER BY e.journal_id LIMIT 1) a ON true
   WHERE c.balance_after IS DISTINCT FROM coalesce(b.balance_after, 0) + c.amount OR a.found <> c.balance_after
UNION ALL
  SELECT 'entry_orphan', count(*)
    FROM entry e LEFT JOIN journal j ON j.id = e.journal_id
      LEFT JOIN ledger_account a ON a.id = e.account_id AND a.currency = e.currency
   WHERE j.id IS NULL OR a.id IS NULL
UNION ALL
  SELECT 'journal_entries', count(*)
    FROM journal j LEFT JOIN (SELECT DISTINCT journal_id FROM entry) e ON e.journal_id = j.id
   WHERE (j.op IN ('post', 'capture')) <> (e.journal_id IS NOT NULL)
UNION ALL  -- a hold is made and ended at the times of its journals, so a second end of one differs from it
  SELECT 'hold_journals', count(*)
    FROM journal j LEFT JOIN ledger_hold h ON h.id = j.hold_id
   WHERE j.hold_id IS NOT NULL
     AND CASE j.op WHEN 'hold' THEN h.created_at = j.created_at
                   WHEN 'capture' THEN h.state = 'captured' AND h.closed_at = j.created_at
                   WHEN 'void' THEN h.state = 'voided' AND h.closed_at = j.created_at END IS NOT TRUE
UNION ALL
  SELECT 'journal_hold', count(*) FROM journal WHERE (op = 'post') <> (hold_id IS NULL)
UNION ALL
  SELECT 'capture_exceeds', count(*)
    FROM journal j JOIN ledger_hold h ON h.id = j.hold_id
      LEFT JOIN entry e ON e.journal_id = j.id AND e.account_id = h.account_id
   WHERE j.op = 'capture' AND (-e.amount BETWEEN 1 AND h.amount) IS NOT TRUE
$$;

-- A block is the unit in which the digest of the history grows. Once added it never changes.
CREATE OR REPLACE FUNCTION ledger_digest_block() RETURNS integer LANGUAGE sql IMMUTABLE AS $$ SELECT 10000 $$;

CREATE OR REPLACE FUNCTION ledger_digest_next(p_digest bytea, p_block bigint) RETURNS bytea LANGUAGE sql STABLE
SET search_path FROM CURRENT AS $$
  WITH line AS (
    SELECT j.id, 0::bigint AS account,
      concat_ws('|', j.id, j.idem, j.op, j.kind, j.hold_id, encode(j.content, 'hex'),
        extract(epoch FROM j.created_at)) AS text
      FROM ledger_journal j
        WHERE j.id > p_block * ledger_digest_block() AND j.id <= (p_block + 1) * ledger_digest_block()
    UNION ALL
    SELECT e.journal_id, e.account_id, concat_ws('|', e.journal_id, e.account_id, e.currency, e.amount, e.balance_after)
      FROM ledger_entry e
        WHERE e.journal_id > p_block * ledger_digest_block() AND e.journal_id <= (p_block + 1) * ledger_digest_block())
  SELECT sha256(p_digest || convert_to(coalesce(string_agg(text, E'\n' ORDER BY id, account, text), ''), 'UTF8'))
    FROM line
$$;

-- It reads the whole history.
CREATE OR REPLACE FUNCTION ledger_digest(p_blocks bigint) RETURNS bytea LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT AS $$
DECLARE digest bytea := '';
BEGIN
  FOR block IN 0 .. p_blocks - 1 LOOP digest := ledger_digest_next(digest, block); END LOOP;
  RETURN digest;
END $$;

-- The mark stays while something is wrong. `more`: others remain.
CREATE OR REPLACE FUNCTION ledger_audit_advance(p_limit integer) RETURNS TABLE (what text, n bigint, more boolean)
LANGUAGE plpgsql SET search_path FROM CURRENT SET jit = off AS $$
#variable_conflict use_column
DECLARE
  mark ledger_audit_mark;
  last bigint; own bigint;
  upto bigint;
  findings record;
  wrong boolean := false;
  ended_at timestamptz;  -- null: a later call
BEGIN
  -- This transaction gets its number after the id was read, so the owner of that id has a lower one.
  last := (SELECT CASE WHEN s.is_called THEN s.last_value ELSE 0 END FROM ledger_journal_id s);
  own := pg_current_xact_id()::text::bigint;
  SELECT * INTO mark FROM ledger_audit_mark FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN; END IF;  -- another process audits
  -- A number that this cluster has not reached comes from another one, whose transactions are not in this database: it
  -- was restored here.
  IF mark.next_xid <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint OR mark.next_xid > own THEN
    ended_at := mark.next_at;
    mark.ended_journal_id := mark.next_journal_id;
    mark.next_journal_id := last; mark.next_xid := own; mark.next_at := clock_timestamp();
  END IF;
  upto := least(mark.ended_journal_id, mark.journal_id + p_limit);
  FOR findings IN SELECT f.what, f.n FROM ledger_audit_journals(mark.journal_id, upto) AS f WHERE f.n <> 0 LOOP
    wrong := true;
    RETURN QUERY SELECT findings.what, findings.n, false;
  END LOOP;
  IF NOT wrong THEN
    INSERT INTO ledger_audit_total AS t (account_id, posted)
      SELECT e.account_id, sum(e.amount) FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id AND a.hot
       WHERE e.journal_id > mark.journal_id AND e.journal_id <= upto GROUP BY e.account_id
      ON CONFLICT (account_id) DO UPDATE SET posted = t.posted + excluded.posted;
    mark.journal_id := upto;
    WHILE (mark.blocks + 1) * ledger_digest_block() <= upto LOOP
      mark.digest := ledger_digest_next(mark.digest, mark.blocks);
      mark.blocks := mark.blocks + 1;
    END LOOP;
  END IF;
  UPDATE ledger_audit_mark
     SET journal_id = mark.journal_id, ended_journal_id = mark.ended_journal_id, next_journal_id = mark.next_journal_id,
       next_xid = mark.next_xid,
         next_at = mark.next_at, blocks = mark.blocks, digest = mark.digest,
         audited_until = CASE WHEN upto = mark.ended_journal_id AND NOT wrong THEN coalesce(ended_at, audited_until)
           ELSE audited_until END;
  IF wrong THEN RETURN; END IF;
  IF upto < mark.ended_journal_id THEN
    RETURN QUERY SELECT NULL::text, 0::bigint, true;
  ELSE
    RETURN QUERY SELECT f.what, f.n, false FROM ledger_audit_accounts() AS f WHERE f.n <> 0;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION ledger_audit_whole_done() RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  UPDATE ledger_audit_mark SET whole_at = now()
$$;
