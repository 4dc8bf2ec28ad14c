-- Lock order: payments by id, payment hashes (advisory, sorted), our invoices by payment hash, then the ledger's.

CREATE OR REPLACE FUNCTION payment_lock(p_id uuid[]) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  PERFORM 1 FROM payment p WHERE p.id = ANY (p_id) ORDER BY p.id FOR NO KEY UPDATE;
END $$;

-- Whether another transaction holds these rows, one answer each, without waiting.
CREATE OR REPLACE FUNCTION payment_locked(p_id uuid[]) RETURNS boolean[] LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  free CONSTANT uuid[] := ARRAY(SELECT p.id FROM payment p WHERE p.id = ANY (p_id) ORDER BY p.id
    FOR NO KEY UPDATE SKIP LOCKED);
BEGIN
  RETURN ARRAY(SELECT lock_is_held(p.id, free)
    FROM unnest(p_id) WITH ORDINALITY AS a(id, n) LEFT JOIN payment p ON p.id = a.id AND p.id = ANY (p_id)
   ORDER BY a.n);
END $$;

-- The same for all that payment_finish waits for: also the account, the hold, the history, and the hash of a failed
-- one.
CREATE OR REPLACE FUNCTION payment_finish_locked(p_id uuid[]) RETURNS boolean[] LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  held CONSTANT boolean[] := payment_locked(p_id);
  free CONSTANT uuid[] := history_lock_free(ledger_lock_free_holds(p_id));
BEGIN
  RETURN ARRAY(
    SELECT CASE p.state WHEN 'in_flight' THEN held[a.n] OR p.id <> ALL (free)
        WHEN 'failed' THEN held[a.n] OR NOT pg_try_advisory_xact_lock(payment_lock_key(p.payment_hash)) ELSE false END
      FROM unnest(p_id) WITH ORDINALITY AS a(id, n) LEFT JOIN payment p ON p.id = a.id AND p.id = ANY (p_id)
     ORDER BY a.n);
END $$;

-- It sees one resolution, not the others of its batch.
CREATE OR REPLACE FUNCTION payment_ending_verdict(e payment_ending) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN e.state IS NULL THEN 'unknown'
    WHEN e.state = 'settled' OR (e.state = 'failed' AND (e.resolution).state <> 'settled') THEN 'already'
    WHEN (e.resolution).state = 'unsent' AND e.is_dispatched THEN 'held'
    WHEN (e.resolution).state = 'lost' AND (e.is_seen OR e.is_index_unbroken IS NOT TRUE) THEN 'held'
    WHEN (e.resolution).state = 'settled'
      AND ((e.resolution).fee_msat BETWEEN 0 AND ledger_max_amount()) IS NOT TRUE THEN 'refused'
    WHEN e.state = 'in_flight' THEN 'finished'
    WHEN e.is_hash_live THEN 'already'
    ELSE 'overtaken' END
$$;

-- The account is charged whole satoshis, at most its hold.
CREATE OR REPLACE FUNCTION payment_cost(p_amount bigint, p_fee_limit bigint, p_fee numeric, OUT spent bigint,
  OUT charged bigint) LANGUAGE sql IMMUTABLE AS $$
  SELECT s.spent, least(msat_rounded_up(s.spent), msat_rounded_up(p_amount + p_fee_limit))
    FROM (SELECT (p_amount + p_fee)::bigint AS spent) AS s
$$;

-- The rounding remainder goes to the fees account; a fee above the limit is the operator's loss.
CREATE OR REPLACE FUNCTION payment_capture_legs(p_payer bigint, p_charged bigint, p_spent bigint) RETURNS ledger_leg[]
LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[ROW(p_payer, -p_charged), ROW(ledger_system_account('lightning'), p_spent)]::ledger_leg[]
      || CASE WHEN p_charged > p_spent THEN ARRAY[ROW(ledger_system_account('fees'), p_charged - p_spent)]::ledger_leg[]
              WHEN p_charged < p_spent
                THEN ARRAY[ROW(ledger_system_account('loss'), p_charged - p_spent)]::ledger_leg[] END
$$;

-- On-chain coins leave by another account than those of Lightning, and what is charged beside the miner's fee is the
-- service fee. These are netted with the legs of a Lightning payment.
CREATE OR REPLACE FUNCTION payment_onchain_legs(p_id uuid, p_spent bigint, p_fee numeric) RETURNS ledger_leg[]
LANGUAGE plpgsql STABLE AS $$
DECLARE
  service CONSTANT bigint := p_fee - 1000 * (SELECT o.miner_sats FROM payout o WHERE o.id = p_id);
BEGIN
  RETURN ARRAY[ROW(ledger_system_account('lightning'), -p_spent),
      ROW(ledger_system_account('onchain'), p_spent - service)]::ledger_leg[]
    || CASE WHEN service > 0 THEN ARRAY[ROW(ledger_system_account('fees'), service)]::ledger_leg[] END;
END $$;

CREATE OR REPLACE FUNCTION payment_overtaken_legs(p_spent bigint) RETURNS ledger_leg[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[ROW(ledger_system_account('loss'), -p_spent),
    ROW(ledger_system_account('lightning'), p_spent)]::ledger_leg[]
$$;

-- The hashes of failed payments are locked too, so that none begins to pay them meanwhile. payment_begin_v2 locks no
-- payments: no cycle. OFFSET 0 makes PostgreSQL read by id first: a plan made on an empty table would scan the index of
-- all failed payments.
CREATE OR REPLACE FUNCTION payment_finish_lock(p_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM payment_lock(p_ids);
  PERFORM pg_advisory_xact_lock(lock_key) FROM (SELECT DISTINCT payment_lock_key(p.payment_hash) AS lock_key
    FROM (SELECT payment_hash, state FROM payment WHERE id = ANY (p_ids) OFFSET 0) AS p WHERE p.state = 'failed'
      ORDER BY 1) AS sorted;
END $$;

-- EXISTS and joins could be planned to read whole tables.
CREATE OR REPLACE FUNCTION payment_finish_read(p_resolutions payment_resolution[], OUT endings payment_ending[],
  OUT terms dealer_terms[]) LANGUAGE plpgsql AS $$
DECLARE
  ids CONSTANT uuid[] := ARRAY(SELECT r.id FROM unnest(p_resolutions) AS r);
BEGIN
  WITH found AS MATERIALIZED (SELECT p.id, p.wallet_id, p.state, p.payment_hash, p.amount_msat, p.fee_limit_msat,
    p.node_id, p.dispatched_at, p.seen_in_flight, p.failure, p.amount_cents, p.held_cents, p.dealer_cents_per_btc
    FROM payment p WHERE p.id = ANY (ids))
    SELECT array_agg(ROW(r.ordinality, ROW(r.id, r.state, r.fee_msat, r.preimage, r.failure)::payment_resolution,
        p.state, p.payment_hash, p.amount_msat, p.fee_limit_msat, p.dispatched_at IS NOT NULL, p.seen_in_flight,
        (SELECT w.ledger_account_id FROM wallet w WHERE w.id = p.wallet_id), NULL,
        CASE r.state WHEN 'lost' THEN
          (SELECT n.unbroken_since <= p.dispatched_at FROM payment_node n WHERE n.node_id = p.node_id) END,
        -- One that the node refused because it knew the hash was never sent: what has settled is another program's.
        CASE WHEN p.state = 'failed' AND r.state = 'settled' THEN p.failure = 'known_to_node' OR (SELECT true
          FROM payment l WHERE l.payment_hash = p.payment_hash AND l.state IN ('in_flight', 'settled') LIMIT 1) END
      )::payment_ending ORDER BY r.ordinality),
      array_agg(ROW(p.amount_cents, p.held_cents, NULL, p.dealer_cents_per_btc, NULL)::dealer_terms
        ORDER BY r.ordinality)
      INTO endings, terms
      FROM unnest(p_resolutions) WITH ORDINALITY AS r LEFT JOIN found p ON p.id = r.id;
END $$;

-- A payment ends once, and the failed ones of a hash are overtaken once: the first resolution counts.
CREATE OR REPLACE FUNCTION payment_finish_judge(p_endings payment_ending[]) RETURNS text[] LANGUAGE plpgsql
IMMUTABLE AS $$
BEGIN
  RETURN ARRAY(
    SELECT CASE WHEN k.n > k.first_sent OR (k.verdict IN ('finished', 'overtaken') AND NOT k.is_first) THEN 'already'
        ELSE k.verdict END
      FROM (SELECT j.*, min(j.n) FILTER (WHERE j.is_first) OVER (PARTITION BY j.id) AS first_sent
              FROM (SELECT v.n, v.id, v.verdict,
                  CASE v.verdict WHEN 'finished' THEN row_number() OVER (PARTITION BY v.verdict, v.id ORDER BY v.n) = 1
                    WHEN 'overtaken' THEN row_number() OVER (PARTITION BY v.verdict, v.payment_hash ORDER BY v.n) = 1
                    ELSE false END AS is_first
                  FROM (SELECT e.n, (e.resolution).id, e.payment_hash, payment_ending_verdict(e) AS verdict
                    FROM unnest(p_endings) AS e) AS v) AS j) AS k
     ORDER BY k.n);
END $$;

-- The ledger's code is null for resolutions that move nothing.
CREATE OR REPLACE FUNCTION payment_finish_move(p_endings payment_ending[], p_terms dealer_terms[], p_codes text[])
RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  sent CONSTANT int[] := ARRAY(SELECT x.n FROM unnest(p_codes) WITH ORDINALITY AS x(code, n)
    WHERE x.code IN ('finished', 'overtaken') ORDER BY x.n);
  codes text[];
BEGIN
  IF sent = '{}' THEN RETURN '{}'; END IF;
  codes := ledger_apply(ARRAY(
    SELECT CASE
        WHEN s.state = 'failed' THEN ROW('post', md5(concat_ws('|', 'overtaken', r.id))::uuid,
          ledger_journal_kind('payment_overtaken'), NULL, payment_overtaken_legs(c.spent))::ledger_operation
        WHEN r.state = 'settled' THEN ROW('capture', md5(concat_ws('|', 'finish', r.id))::uuid,
          ledger_journal_kind('payment_capture'), r.id,
          CASE WHEN (p_terms[s.n]).debit IS NULL THEN payment_capture_legs(s.payer_ledger, c.charged, c.spent)
            ELSE dealer_capture_legs(s.payer_ledger, dealer_charge(p_terms[s.n], c.spent), c.spent, c.charged) END
            || CASE WHEN s.payment_hash IS NULL
              THEN payment_onchain_legs(r.id, c.spent, r.fee_msat) END)::ledger_operation
        ELSE ROW('void', md5(concat_ws('|', 'finish', r.id))::uuid, ledger_journal_kind('payment_void'), r.id,
          NULL)::ledger_operation END
      FROM unnest(p_endings) AS s CROSS JOIN LATERAL (SELECT (s.resolution).*) AS r
        CROSS JOIN LATERAL payment_cost(s.amount_msat, s.fee_limit_msat,
          CASE r.state WHEN 'settled' THEN r.fee_msat END) AS c
     WHERE s.n = ANY (sent) ORDER BY s.n));
  RETURN ARRAY(SELECT codes[array_position(sent, g.n)] FROM generate_series(1, cardinality(p_codes)) AS g(n));
END $$;

-- An overtaken payment keeps its failure, which the history shows. A failed send keeps its amount, without the fee.
CREATE OR REPLACE FUNCTION payment_finish_write(p_endings payment_ending[], p_terms dealer_terms[], p_applied text[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  done CONSTANT payment_ending[] := ARRAY(SELECT e FROM unnest(p_endings) AS e WHERE p_applied[e.n] = 'ok');
  ids CONSTANT uuid[] := ARRAY(SELECT (e.resolution).id FROM unnest(done) AS e);
BEGIN
  UPDATE payment p
    SET state = CASE r.state WHEN 'settled' THEN 'settled' ELSE 'failed' END,
      fee_msat = CASE r.state WHEN 'settled' THEN r.fee_msat END, preimage = r.preimage,
      failure = coalesce(p.failure, r.failure), finished_at = clock_timestamp()
    FROM unnest(done) AS s, LATERAL (SELECT (s.resolution).*) AS r WHERE p.id = r.id AND p.id = ANY (ids);
  PERFORM history_settle(ARRAY(
    SELECT CASE r.state
        WHEN 'settled' THEN ROW(r.id, 'SUCCESS', -m.charged, m.charged - m.amount, r.preimage, r.failure)::history_end
        ELSE ROW(r.id, 'FAILURE', -m.amount, 0, r.preimage, r.failure)::history_end END
      FROM unnest(done) AS s CROSS JOIN LATERAL (SELECT (s.resolution).*) AS r
        CROSS JOIN LATERAL payment_cost(s.amount_msat, s.fee_limit_msat,
          CASE r.state WHEN 'settled' THEN r.fee_msat END) AS c
        CROSS JOIN LATERAL (SELECT coalesce((p_terms[s.n]).amount, s.amount_msat) AS amount,
          CASE WHEN (p_terms[s.n]).debit IS NULL THEN c.charged
            ELSE dealer_charge(p_terms[s.n], c.spent) END AS charged) AS m
     WHERE s.state = 'in_flight'));
END $$;

-- Ends payments in flight by the node's final status: settled with the exact fee, or failed. Idempotent. Two ways to
-- fail depend on what is still true once the row is locked:
--   unsent: it was not dispatched; a dispatcher that comes later finds that it has ended, and sends nothing
--   lost: it was dispatched, never reported in flight, and the node's payment index has not gone down since
-- One row each, in order, with the operator's loss: finished | already | unknown | held (neither unsent nor lost)
-- overtaken: the node settled a payment whose hold had been released. The payer got a failure, so it is the operator's
-- loss; the invoice is not paid again. If another payment of the hash is in flight or settled, the status is about that
-- one: a node sends a hash once.
-- refused: an impossible fee, or the ledger rejects it. It stays unchanged, so its repeats are refused too. Fees are
-- numeric: one that fits no bigint must fail its payment, not the batch.
CREATE OR REPLACE FUNCTION payment_finish(p_resolutions payment_resolution[])
RETURNS TABLE (code text, loss_msat bigint) LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET jit = off
SET enable_seqscan = off SET enable_nestloop = off SET enable_mergejoin = off SET enable_hashjoin = on AS $$
DECLARE
  endings payment_ending[]; terms dealer_terms[]; codes text[]; applied text[]; refused uuid[];
BEGIN
  PERFORM payment_finish_lock(ARRAY(SELECT r.id FROM unnest(p_resolutions) AS r));
  SELECT r.endings, r.terms INTO endings, terms FROM payment_finish_read(p_resolutions) AS r;
  codes := payment_finish_judge(endings);
  applied := payment_finish_move(endings, terms, codes);
  IF 'ok' = ANY (applied) THEN PERFORM payment_finish_write(endings, terms, applied); END IF;
  refused := ARRAY(SELECT (e.resolution).id FROM unnest(endings) AS e WHERE applied[e.n] <> 'ok');
  RETURN QUERY
    SELECT CASE WHEN (e.resolution).id = ANY (refused) THEN 'refused' ELSE codes[e.n] END,
      CASE WHEN applied[e.n] = 'ok' AND (e.resolution).state = 'settled'
        THEN CASE e.state WHEN 'failed' THEN c.spent ELSE greatest(c.spent - c.charged, 0) END ELSE 0 END
      FROM unnest(endings) AS e
        CROSS JOIN LATERAL payment_cost(e.amount_msat, e.fee_limit_msat,
          CASE WHEN applied[e.n] = 'ok' AND (e.resolution).state = 'settled' THEN (e.resolution).fee_msat END) AS c
     ORDER BY e.n;
END $$;

-- Of accounts that were deleted: what their payments say of the payee.
CREATE OR REPLACE FUNCTION payment_forget(p_ids uuid[]) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  UPDATE payment SET payment_request = NULL, payee = NULL WHERE id = ANY (p_ids) AND state <> 'in_flight'
$$;
