-- Credits what has its confirmations, each output once: the journal's key is the output. Lock order: see deposit.sql.

-- As many as the whole that its transaction brings: the parts of a large amount would be confirmed sooner.
CREATE OR REPLACE FUNCTION deposit_is_confirmed(d deposit, p_tip integer, p_terms deposit_terms) RETURNS boolean
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT d.height IS NOT NULL AND p_tip - d.height + 1 >= (p_terms.confirmations)[1
    + width_bucket((SELECT sum(s.sats) FROM deposit s WHERE s.txid = d.txid)::bigint - 1, p_terms.bounds)]
$$;

-- Those of these transactions. Their outputs are in one block each, so one output is asked about, of perhaps thousands.
CREATE OR REPLACE FUNCTION deposit_confirmed(p_txids text[], p_tip integer, p_terms deposit_terms) RETURNS SETOF text
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT (t.d).txid
    FROM (SELECT DISTINCT ON (x.txid) x AS d FROM deposit x WHERE x.txid = ANY (p_txids) ORDER BY x.txid, x.vout) AS t
   WHERE deposit_is_confirmed(t.d, p_tip, p_terms)
$$;

CREATE OR REPLACE FUNCTION deposit_key(p_what text, d deposit) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT md5(concat_ws('|', p_what, d.txid, d.vout))::uuid
$$;

-- Outputs that the scan did not find where it has looked.
CREATE OR REPLACE FUNCTION deposit_lose(p_scan bigint, p_from integer) RETURNS void LANGUAGE sql
SET search_path FROM CURRENT AS $$
  UPDATE deposit SET height = NULL, block_hash = NULL, gone_at = clock_timestamp()
   WHERE scan < p_scan AND gone_at IS NULL AND (height IS NULL OR height >= p_from)
$$;

-- One of an address at a time: it ends those that wait there for more. The others follow with the next scan.
CREATE OR REPLACE FUNCTION deposit_credits(p_tip integer, p_terms deposit_terms, p_bid bigint)
RETURNS SETOF deposit_step LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT CASE WHEN w.id IS NULL THEN 'unclaim' WHEN n.net <= 0 THEN 'wait' ELSE 'credit' END, d.txid, d.vout,
    coalesce(w.ledger_account_id, ledger_system_account('unclaimed')), d.sats, x.waiting,
    CASE WHEN w.id IS NOT NULL AND n.net > 0 THEN x.fee ELSE 0 END, coalesce(w.currency = 'USD', false),
    CASE WHEN w.currency = 'USD' THEN greatest(1, dealer_cents_down(n.net * 1000, p_bid))
      WHEN w.id IS NULL THEN (d.sats + x.waiting) * 1000 ELSE n.net * 1000 END, deposit_key('onchain', d), NULL::uuid,
    NULL::text
    FROM (SELECT DISTINCT ON (p.address) p.* FROM deposit p
           WHERE p.state = 'pending' AND p.height IS NOT NULL AND p.txid = ANY (ARRAY(SELECT deposit_confirmed(
             ARRAY(SELECT DISTINCT x.txid FROM deposit x WHERE x.state = 'pending' AND x.height IS NOT NULL), p_tip,
             p_terms)))
           ORDER BY p.address, p.height, p.txid, p.vout) AS d
    LEFT JOIN wallet w ON w.id = d.wallet_id
    CROSS JOIN LATERAL (SELECT CASE WHEN d.sats > p_terms.free_above_sats THEN 0 ELSE p_terms.fee_sats END AS fee,
      (SELECT coalesce(sum(s.sats), 0)::bigint FROM deposit s
        WHERE s.address = d.address AND s.state = 'waiting' AND s.height IS NOT NULL) AS waiting OFFSET 0) AS x
    CROSS JOIN LATERAL (SELECT d.sats + x.waiting - x.fee AS net) AS n
   WHERE w.id IS NULL OR d.history_id IS NOT NULL AND (w.currency = 'BTC' OR p_bid IS NOT NULL)
$$;

-- Of those that a reorganisation took out of their block: a hold as far as the balance goes, for those of a wallet
-- together, until they are confirmed again. The caller has the locks of the wallets.
CREATE OR REPLACE FUNCTION deposit_holds(p_from integer, p_tip integer, p_terms deposit_terms)
RETURNS SETOF deposit_step LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  WITH moved AS MATERIALIZED (
    SELECT m AS d FROM deposit m
     WHERE m.state IN ('credited', 'unclaimed') AND (m.height IS NULL OR m.height >= p_from)
       AND (m.unproven_at IS NOT NULL OR m.block_hash IS DISTINCT FROM m.credited_hash)
  ), confirmed AS MATERIALIZED (
    SELECT ARRAY(SELECT deposit_confirmed(ARRAY(SELECT DISTINCT (m.d).txid FROM moved m), p_tip, p_terms)) AS txids
  )
  SELECT x.step, d.txid, d.vout, w.ledger_account_id, d.sats, 0::bigint, 0::bigint, false,
    CASE WHEN w.id IS NULL THEN 0 ELSE greatest(0, least(d.credited,
      (SELECT l.posted - l.held FROM ledger_account l WHERE l.id = w.ledger_account_id)
      - (sum(d.credited) OVER (PARTITION BY w.id, x.step ORDER BY d.txid, d.vout) - d.credited)))::bigint END,
    deposit_key('onchain ' || x.step || ' ' || d.unproven, m.d), d.hold_id, NULL::text
    FROM moved m CROSS JOIN LATERAL (SELECT (m.d).* OFFSET 0) AS d CROSS JOIN confirmed c
    LEFT JOIN wallet w ON w.id = d.wallet_id
    CROSS JOIN LATERAL (SELECT CASE
      WHEN d.txid = ANY (c.txids) THEN CASE WHEN d.unproven_at IS NOT NULL THEN 'release' END
      WHEN d.unproven_at IS NULL THEN 'hold' END OFFSET 0) AS x(step)
   WHERE x.step IS NOT NULL
$$;

-- Null: nothing to book, as a hold on an empty wallet.
CREATE OR REPLACE FUNCTION deposit_operation(s deposit_step) RETURNS ledger_operation LANGUAGE sql IMMUTABLE AS $$
  SELECT ROW(CASE s.step WHEN 'hold' THEN 'hold' WHEN 'release' THEN 'void' ELSE 'post' END, s.idem,
    ledger_journal_kind('deposit_' || s.step), CASE s.step WHEN 'release' THEN s.hold_id END,
    CASE s.step WHEN 'release' THEN NULL WHEN 'hold' THEN ARRAY[ROW(s.payee, -s.amount)::ledger_leg]
      ELSE ARRAY(SELECT ROW(l.account, l.amount)::ledger_leg FROM (VALUES
        (ledger_system_account('onchain'), s.sats * -1000),
        (ledger_system_account('depositWaiting'), CASE s.step WHEN 'wait' THEN s.sats ELSE -s.waiting_sats END * 1000),
        (ledger_system_account('fees'), s.fee_sats * 1000),
        (CASE WHEN s.step <> 'wait' THEN s.payee END, s.amount),
        (CASE WHEN s.is_dollars AND s.step = 'credit' THEN ledger_system_account('dealerUsd') END, -s.amount),
        (CASE WHEN s.is_dollars AND s.step = 'credit' THEN ledger_system_account('dealerBtc') END,
          (s.sats + s.waiting_sats - s.fee_sats) * 1000)) AS l(account, amount)
        WHERE l.account IS NOT NULL AND l.amount <> 0) END)::ledger_operation
   WHERE s.step NOT IN ('hold', 'release') OR CASE s.step WHEN 'hold' THEN s.amount > 0 ELSE s.hold_id IS NOT NULL END
$$;

-- What each output has of a credit, so that their rows of the history have its sum: whole satoshis, where each gets
-- one; in a wallet in dollars up to a cent each, because a row shows at least one.
CREATE OR REPLACE FUNCTION deposit_parts(s deposit_step, p_bid bigint) RETURNS TABLE (txid text, vout integer,
  history_id uuid, amount bigint, fee bigint) LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT p.txid, p.vout, p.history_id, a.amount, greatest(0, a.worth - a.amount)
    FROM (SELECT d.*, sum(d.sats) OVER (ORDER BY d.state DESC, d.height, d.txid, d.vout) AS upto,
            CASE WHEN s.is_dollars OR s.amount::numeric * min(d.sats) OVER () < 1000 * (s.sats + s.waiting_sats) THEN 1
              ELSE 1000 END AS unit FROM deposit d
           WHERE d.txid = s.txid AND d.vout = s.vout OR d.state = 'waiting' AND d.height IS NOT NULL AND d.address
             = (SELECT x.address FROM deposit x WHERE x.txid = s.txid AND x.vout = s.vout)) AS p
    CROSS JOIN LATERAL (SELECT greatest(1, p.unit * (div(s.amount / p.unit * p.upto, s.sats + s.waiting_sats)
        - div(s.amount / p.unit * (p.upto - p.sats), s.sats + s.waiting_sats)))::bigint AS amount,
      CASE WHEN s.is_dollars THEN dealer_cents_down(p.sats * 1000, p_bid) ELSE p.sats * 1000 END AS worth) AS a
$$;

CREATE OR REPLACE FUNCTION deposit_write_credits(p_steps deposit_step[], p_bid bigint) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  s deposit_step; ids uuid[]; ends history_end[] := '{}';
BEGIN
  FOREACH s IN ARRAY p_steps LOOP
    WITH part AS MATERIALIZED (SELECT * FROM deposit_parts(s, p_bid)
    ), credited AS (
      UPDATE deposit d SET state = 'credited', credited = p.amount, credited_hash = d.block_hash
        FROM part p WHERE d.txid = p.txid AND d.vout = p.vout
    ) SELECT ends || array_agg(ROW(p.history_id, 'SUCCESS', p.amount, p.fee, NULL, NULL)::history_end) INTO ends
        FROM part p;
  END LOOP;
  ids := ARRAY(SELECT e.id FROM unnest(ends) AS e);
  PERFORM history_note(ids, NULL);
  PERFORM history_settle(ends);
END $$;

-- Of a wallet that is gone, with what waited for it: an operator finds its owner.
CREATE OR REPLACE FUNCTION deposit_write_unclaimed(p_steps deposit_step[]) RETURNS void LANGUAGE sql
SET search_path FROM CURRENT AS $$
  UPDATE deposit d SET state = 'unclaimed', credited_hash = d.block_hash
    FROM unnest(p_steps) AS s JOIN deposit x ON x.txid = s.txid AND x.vout = s.vout
   WHERE d.address = x.address AND d.height IS NOT NULL
     AND (d.state = 'waiting' OR d.txid = s.txid AND d.vout = s.vout)
$$;

CREATE OR REPLACE FUNCTION deposit_write(p_steps deposit_step[], p_fee_sats bigint, p_bid bigint) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  ids uuid[];
BEGIN
  PERFORM deposit_write_credits(ARRAY(SELECT s FROM unnest(p_steps) AS s WHERE s.step = 'credit'), p_bid);
  PERFORM deposit_write_unclaimed(ARRAY(SELECT s FROM unnest(p_steps) AS s WHERE s.step = 'unclaim'));
  WITH written AS (
    UPDATE deposit d SET state = 'waiting', credited_hash = d.block_hash
      FROM unnest(p_steps) AS s WHERE s.step = 'wait' AND d.txid = s.txid AND d.vout = s.vout RETURNING d.history_id
  ) SELECT array_agg(history_id) INTO ids FROM written;
  PERFORM history_note(ids, format('Not credited yet: the deposit fee is %s sats. More to this address is added to it.',
    p_fee_sats));
  WITH written AS (
    UPDATE deposit d SET unproven_at = clock_timestamp(), unproven = d.unproven + 1,
           hold_id = CASE WHEN s.amount > 0 THEN s.idem END
      FROM unnest(p_steps) AS s WHERE s.step = 'hold' AND d.txid = s.txid AND d.vout = s.vout RETURNING d.history_id
  ) SELECT array_agg(history_id) INTO ids FROM written;
  PERFORM history_note(ids, 'On hold: a reorganisation of the chain has taken it out of its block.');
  WITH written AS (
    UPDATE deposit d SET unproven_at = NULL, hold_id = NULL, credited_hash = d.block_hash
      FROM unnest(p_steps) AS s WHERE s.step = 'release' AND d.txid = s.txid AND d.vout = s.vout RETURNING d.history_id
  ) SELECT array_agg(history_id) INTO ids FROM written;
  PERFORM history_note(ids, NULL);
END $$;

-- The end of a scan from block p_from on, at the tip. Returns what was done to which output; 'refused': by the ledger.
-- Nothing and null: another scan has begun. What a session has locked follows with a later scan.
CREATE OR REPLACE FUNCTION deposit_settle(p_scan bigint, p_from integer, p_tip integer, p_tip_hash text,
  p_terms deposit_terms, p_bid bigint) RETURNS SETOF deposit_step LANGUAGE plpgsql SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  steps deposit_step[]; free bigint[]; booked int[]; applied text[];
BEGIN
  IF NOT onchain_scan_goes_on(p_scan) THEN RETURN; END IF;
  PERFORM deposit_lose(p_scan, p_from);
  steps := ARRAY(SELECT s FROM deposit_credits(p_tip, p_terms, p_bid) AS s)
    || ARRAY(SELECT s FROM deposit_holds(p_from, p_tip, p_terms) AS s);
  IF steps <> '{}' THEN
    free := ledger_lock_free(ARRAY(SELECT s.payee FROM unnest(steps) AS s WHERE s.payee IS NOT NULL));
    -- Again, because a balance may have changed before its lock.
    steps := ARRAY(SELECT s FROM unnest(steps) AS s WHERE s.step NOT IN ('hold', 'release') AND s.payee = ANY (free))
      || ARRAY(SELECT s FROM deposit_holds(p_from, p_tip, p_terms) AS s WHERE s.payee IS NULL OR s.payee = ANY (free));
    booked := ARRAY(SELECT n FROM generate_subscripts(steps, 1) AS n
      WHERE NOT (deposit_operation(steps[n]) IS NULL) ORDER BY n);
    applied := ledger_apply(ARRAY(SELECT deposit_operation(steps[b.n]) FROM unnest(booked) AS b(n) ORDER BY b.n));
    FOR i IN 1 .. cardinality(steps) LOOP
      steps[i].result := coalesce(applied[array_position(booked, i)], 'ok');
    END LOOP;
    PERFORM deposit_write(ARRAY(SELECT s FROM unnest(steps) AS s WHERE s.result = 'ok'), p_terms.fee_sats, p_bid);
  END IF;
  UPDATE onchain_cursor SET height = p_tip, block_hash = p_tip_hash WHERE scan = p_scan;
  RETURN QUERY SELECT * FROM unnest(steps);
END $$;

-- What the coins of the chain and the deposits that wait must be by the deposits.
CREATE OR REPLACE VIEW deposit_audit (what, n) AS
  SELECT 'deposits_differ', count(*) FROM (
    SELECT coalesce(sum(e.amount), 0) AS booked FROM ledger_entry e
      JOIN ledger_journal j ON j.id = e.journal_id AND j.kind = ANY (ARRAY[ledger_journal_kind('deposit_credit'),
        ledger_journal_kind('deposit_wait'), ledger_journal_kind('deposit_unclaim')])
     WHERE e.account_id = ledger_system_account('onchain')) AS l,
    (SELECT coalesce(sum(d.sats), 0) * 1000 AS found FROM deposit d
      WHERE d.state IN ('waiting', 'credited', 'unclaimed')) AS d
   WHERE l.booked + d.found <> 0
UNION ALL
  SELECT 'waiting_differs', count(*) FROM ledger_account a
   WHERE a.id = ledger_system_account('depositWaiting')
     AND a.posted <> (SELECT coalesce(sum(d.sats), 0) * 1000 FROM deposit d WHERE d.state = 'waiting');
