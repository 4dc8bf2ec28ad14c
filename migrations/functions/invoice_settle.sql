-- Lock order: the node's cursor, invoices by payment hash, then the ledger's, then settlement_review.

CREATE OR REPLACE FUNCTION settlement_verdict(c settlement_candidate) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN c.is_seen THEN 'seen'
    WHEN ((c.settlement).amount_msat BETWEEN 1 AND ledger_max_amount()) IS NOT TRUE THEN 'refused'
    WHEN c.payee_ledger IS NULL THEN 'unclaimed'
    WHEN c.invoice_state = 'paid' THEN 'credited_again'
    ELSE 'credited' END
$$;

CREATE OR REPLACE FUNCTION settlement_legs(p_payee bigint, p_msat numeric) RETURNS ledger_leg[]
LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[ROW(ledger_system_account('lightning'), -p_msat),
    ROW(coalesce(p_payee, ledger_system_account('unclaimed')), p_msat)]::ledger_leg[]
$$;

-- Joins could be planned to read whole tables.
CREATE OR REPLACE FUNCTION wallet_in_bitcoin(p_wallet uuid) RETURNS uuid LANGUAGE sql STABLE
SET search_path FROM CURRENT AS $$
  SELECT w.id FROM wallet w
    WHERE w.account_id = (SELECT x.account_id FROM wallet x WHERE x.id = p_wallet) AND w.currency = 'BTC'
$$;

-- Settlements are read from the start, and readers of an earlier epoch no longer move the cursor. False: another
-- process was first.
CREATE OR REPLACE FUNCTION settlement_restart(p_node text, p_epoch integer) RETURNS boolean LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE settlement_cursor SET settle_index = 0, settle_hash = NULL, epoch = epoch + 1
    WHERE node_id = p_node AND epoch = p_epoch;
  RETURN FOUND;
END $$;

-- cents: null credits bitcoin. is_seen: another process has credited it, and the ledger need not be asked.
CREATE OR REPLACE FUNCTION invoice_settle_read(p_node text, p_cursor bigint, p_settlements invoice_settlement[],
  OUT candidates settlement_candidate[], OUT cents bigint[]) LANGUAGE plpgsql AS $$
DECLARE
  hashes CONSTANT text[] := ARRAY(SELECT s.payment_hash FROM unnest(p_settlements) AS s);
  -- A faulty node may report what is no hash.
  forgotten CONSTANT bytea[] := ARRAY(SELECT decode(h, 'hex') FROM unnest(hashes) AS h WHERE h ~ '^[0-9a-f]{64}$');
BEGIN
  WITH bill AS MATERIALIZED (SELECT * FROM invoice i WHERE i.payment_hash = ANY (hashes)
  ), late AS MATERIALIZED (SELECT f.*, encode(f.payment_hash, 'hex') AS hash FROM invoice_forgotten f
    WHERE f.payment_hash = ANY (forgotten)
  ), found AS (
    SELECT s.*, b.state AS invoice_state, b.memo, b.external_id, b.by_owner, b.payment_request, b.preimage, b.node_id,
      b.settled_via, b.payment_hash IS NULL AND l.hash IS NOT NULL AS is_forgotten,
      coalesce(b.wallet_id, l.wallet_id) AS wallet_id, coalesce(b.cents_per_btc, l.cents_per_btc) AS cents_per_btc,
      CASE WHEN s.amount_msat BETWEEN 1 AND ledger_max_amount()
        THEN dealer_bill_cents(s.amount_msat, b.amount_msat, b.amount_cents,
          coalesce(b.dealer_cents_per_btc, l.dealer_cents_per_btc)) END AS cents
      FROM unnest(p_settlements) WITH ORDINALITY AS s
      LEFT JOIN bill b ON b.payment_hash = s.payment_hash
      LEFT JOIN late l ON l.hash = s.payment_hash
  )
  SELECT array_agg(ROW(c.ordinality, ROW(c.settle_index, c.payment_hash, c.amount_msat)::invoice_settlement,
      c.invoice_state, c.memo, c.external_id, c.by_owner, c.payment_request, c.preimage, c.payee_id, c.ledger_id,
      c.cents_per_btc, c.is_forgotten, c.settle_index <= p_cursor AND c.node_id = p_node AND c.settled_via = 'ln',
      NULL)::settlement_candidate ORDER BY c.ordinality),
    array_agg(nullif(c.cents, 0) ORDER BY c.ordinality)
    INTO candidates, cents
    FROM (SELECT p.*, (SELECT w.ledger_account_id FROM wallet w WHERE w.id = p.payee_id) AS ledger_id
            FROM (SELECT f.*, CASE f.cents WHEN 0 THEN wallet_in_bitcoin(f.wallet_id) ELSE f.wallet_id END AS payee_id
                    FROM found f OFFSET 0) AS p
          OFFSET 0) AS c;
END $$;

-- Without an invoice, which was forgotten, its price is all that is known.
CREATE OR REPLACE FUNCTION invoice_settle_cents(p_settlements invoice_settlement[], p_cents bigint[], p_bid bigint)
RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  hashes CONSTANT text[] := ARRAY(SELECT s.payment_hash FROM unnest(p_settlements) AS s);
BEGIN
  RETURN ARRAY(
    SELECT CASE WHEN b.payment_hash IS NULL THEN p_cents[s.ordinality]
        ELSE dealer_bill_cents_now(p_cents[s.ordinality], s.amount_msat, b.amount_msat, b.amount_cents, p_bid) END
      FROM unnest(p_settlements) WITH ORDINALITY AS s
      LEFT JOIN (SELECT * FROM invoice i WHERE i.payment_hash = ANY (hashes) OFFSET 0) AS b
        ON b.payment_hash = s.payment_hash
     ORDER BY s.ordinality);
END $$;

CREATE OR REPLACE FUNCTION settlement_key(p_node text, p_hash text) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT md5(concat_ws('|', 'ln', p_node, p_hash))::uuid
$$;

-- This amount was credited to its recipient before, perhaps in other cents, because the dealer's price has changed.
CREATE OR REPLACE FUNCTION settlement_is_credited(p_node text, c settlement_candidate) RETURNS boolean LANGUAGE sql
STABLE AS $$
  SELECT EXISTS (SELECT FROM ledger_entry e
      WHERE e.journal_id = j.id AND e.account_id = ledger_system_account('lightning')
        AND e.amount = -(c.settlement).amount_msat)
    AND NOT EXISTS (SELECT FROM ledger_entry e
      WHERE e.journal_id = j.id AND e.account_id = ledger_system_account('unclaimed'))
    FROM ledger_journal j WHERE j.idem = settlement_key(p_node, (c.settlement).payment_hash)
$$;

CREATE OR REPLACE FUNCTION invoice_settle_move(p_node text, p_candidates settlement_candidate[], p_cents bigint[],
  p_codes text[]) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  sent CONSTANT int[] := ARRAY(SELECT x.n FROM unnest(p_codes) WITH ORDINALITY AS x(code, n)
    WHERE x.code IN ('credited', 'credited_again', 'unclaimed') ORDER BY x.n);
  applied text[];
BEGIN
  IF sent = '{}' THEN RETURN p_codes; END IF;
  applied := ledger_apply(ARRAY(
    SELECT ROW('post', settlement_key(p_node, (s.settlement).payment_hash),
      ledger_journal_kind('invoice_settle'), NULL,
      CASE WHEN p_cents[s.n] IS NULL THEN settlement_legs(s.payee_ledger, (s.settlement).amount_msat)
        ELSE dealer_legs(ledger_system_account('lightning'), -(s.settlement).amount_msat::bigint, s.payee_ledger,
          -p_cents[s.n]) END)::ledger_operation
      FROM unnest(p_candidates) AS s WHERE s.n = ANY (sent) ORDER BY s.n));
  RETURN ARRAY(SELECT CASE applied[array_position(sent, x.n::int)] WHEN 'duplicate' THEN 'seen' WHEN 'ok' THEN x.code
      WHEN 'conflict' THEN CASE WHEN x.code <> 'unclaimed' AND settlement_is_credited(p_node, p_candidates[x.n])
        THEN 'seen' ELSE 'refused' END
      ELSE CASE WHEN x.n = ANY (sent) THEN 'refused' ELSE x.code END END
    FROM unnest(p_codes) WITH ORDINALITY AS x(code, n) ORDER BY x.n);
END $$;

CREATE OR REPLACE FUNCTION invoice_settle_write(p_candidates settlement_candidate[], p_cents bigint[], p_codes text[])
RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  credited CONSTANT settlement_candidate[] := ARRAY(SELECT c FROM unnest(p_candidates) AS c
    WHERE p_codes[c.n] IN ('credited', 'credited_again') ORDER BY c.n);
  paid CONSTANT text[] := ARRAY(SELECT (c.settlement).payment_hash FROM unnest(credited) AS c);
BEGIN
  IF paid = '{}' THEN RETURN paid; END IF;
  UPDATE invoice_forgotten f SET paid_at = now()
    WHERE f.payment_hash = ANY (ARRAY(SELECT decode((c.settlement).payment_hash, 'hex') FROM unnest(credited) AS c
      WHERE c.is_forgotten));
  PERFORM history_add_v2(ARRAY(
    SELECT ROW(gen_random_uuid(), c.wallet_id, 'RECEIVE', 'SUCCESS', coalesce(p_cents[c.n], (c.settlement).amount_msat),
      0, c.memo, c.external_id, 'ln', 'ln', (c.settlement).payment_hash, c.payment_request, c.preimage, NULL, NULL,
      NULL, c.cents_per_btc, c.by_owner, NULL, NULL, NULL)::history_row_v2
      FROM unnest(credited) AS c ORDER BY c.n));
  PERFORM invoice_mark_paid(paid, 'ln');
  RETURN paid;
END $$;

-- A settlement waits for review once; refused again it is 'refused_before'. One that the node now reports otherwise,
-- and that is credited, needs no review.
CREATE OR REPLACE FUNCTION invoice_settle_review(p_node text, p_settlements invoice_settlement[], p_codes text[],
  p_paid text[]) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  codes text[] := p_codes;
BEGIN
  IF 'refused' = ANY (p_codes) OR 'unclaimed' = ANY (p_codes) THEN
    WITH reviewed AS (
      INSERT INTO settlement_review (node_id, payment_hash, settle_index, amount_msat, outcome)
        SELECT DISTINCT ON (s.payment_hash) p_node, s.payment_hash, s.settle_index, s.amount_msat, p_codes[s.ordinality]
          FROM unnest(p_settlements) WITH ORDINALITY AS s WHERE p_codes[s.ordinality] IN ('refused', 'unclaimed')
         ORDER BY s.payment_hash, s.ordinality
      ON CONFLICT DO NOTHING RETURNING payment_hash
    )
    SELECT array_agg(CASE WHEN p_codes[s.ordinality] = 'refused' AND r.payment_hash IS NULL THEN 'refused_before'
        ELSE p_codes[s.ordinality] END ORDER BY s.ordinality)
      INTO codes
      FROM unnest(p_settlements) WITH ORDINALITY AS s LEFT JOIN reviewed r ON r.payment_hash = s.payment_hash;
  END IF;
  IF p_paid <> '{}' THEN
    UPDATE settlement_review r SET booked_at = now()
      WHERE r.node_id = p_node AND r.payment_hash = ANY (p_paid) AND r.booked_at IS NULL;
  END IF;
  RETURN codes;
END $$;

-- Books what a node reports as paid to it. The ledger's key (node, hash) makes each settlement count once, in whichever
-- order and process it arrives: from the stream (p_epoch: that of the cursor at its start) or a look-up (p_epoch null),
-- which never moves the cursor. Returns one code each, in order:
--   credited | seen: credited before
--   credited_again: the invoice was paid internally too, and both payments are the recipient's
--   unclaimed: no invoice of ours: the unclaimed account has it, and an operator reviews it
--   refused: an impossible amount, or the ledger rejects it, as another amount for this hash. settlement_review keeps
--     it, and the cursor passes it, or it would block all later ones | refused_before: reported again
-- went_back: one at or below the cursor was credited, so the node's index has restarted (a restore from its seed), and
-- the cursor does too. A reader of another epoch has to restart, and one that has booked beyond the cursor, up to
-- p_booked (epoch is null): a failover has lost that, and the cursor must not pass it. A wallet in dollars gets the
-- invoice's price, and for another amount than it states p_bid, the dealer's of now (null: none), where that is lower;
-- less than a cent, or more than twice what the invoice asks, is credited in bitcoin.
-- Amounts are numeric: one that fits no bigint must fail its settlement, not the batch.
CREATE OR REPLACE FUNCTION invoice_settle_v2(p_node text, p_epoch integer, p_settlements invoice_settlement[],
  p_bid bigint, p_booked bigint DEFAULT 0, OUT codes text[], OUT went_back boolean, OUT epoch integer) LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET jit = off
SET enable_seqscan = off SET enable_nestloop = off SET enable_mergejoin = off SET enable_hashjoin = on AS $$
DECLARE
  place settlement_cursor; candidates settlement_candidate[]; cents bigint[]; paid text[];
BEGIN
  INSERT INTO settlement_cursor VALUES (p_node) ON CONFLICT DO NOTHING;
  SELECT * INTO place FROM settlement_cursor c WHERE c.node_id = p_node FOR NO KEY UPDATE;
  PERFORM 1 FROM invoice i WHERE i.payment_hash = ANY (ARRAY(SELECT s.payment_hash FROM unnest(p_settlements) AS s))
    ORDER BY i.payment_hash FOR NO KEY UPDATE;
  SELECT r.candidates, r.cents INTO candidates, cents
    FROM invoice_settle_read(p_node, place.settle_index, p_settlements) AS r;
  IF array_remove(cents, NULL) <> '{}' THEN cents := invoice_settle_cents(p_settlements, cents, p_bid); END IF;
  codes := ARRAY(SELECT settlement_verdict(c) FROM unnest(candidates) AS c ORDER BY c.n);
  codes := invoice_settle_move(p_node, candidates, cents, codes);
  paid := invoice_settle_write(candidates, cents, codes);
  codes := invoice_settle_review(p_node, p_settlements, codes, paid);
  epoch := place.epoch;
  went_back := (p_epoch IS NULL OR p_epoch = place.epoch) AND EXISTS (
    SELECT FROM unnest(p_settlements) WITH ORDINALITY AS s
     WHERE s.settle_index <= place.settle_index
       AND codes[s.ordinality] IN ('credited', 'credited_again', 'unclaimed'));
  IF went_back THEN
    PERFORM settlement_restart(p_node, place.epoch);
    epoch := place.epoch + 1;
  ELSIF p_epoch = place.epoch AND p_booked > place.settle_index THEN
    epoch := NULL;
  ELSIF p_epoch = place.epoch THEN
    UPDATE settlement_cursor c SET settle_index = newest.settle_index, settle_hash = newest.payment_hash
      FROM (SELECT s.settle_index, s.payment_hash FROM unnest(p_settlements) AS s
             ORDER BY s.settle_index DESC LIMIT 1) AS newest
     WHERE c.node_id = p_node AND c.settle_index < newest.settle_index;
  END IF;
END $$;

-- Whether these would wait for another transaction, one answer each, without waiting. Its locks end with the
-- transaction.
CREATE OR REPLACE FUNCTION invoice_settle_locked(p_hash text[]) RETURNS boolean[] LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  forgotten CONSTANT bytea[] := ARRAY(SELECT decode(h, 'hex') FROM unnest(p_hash) AS h WHERE h ~ '^[0-9a-f]{64}$');
  bills_free CONSTANT text[] := ARRAY(SELECT i.payment_hash FROM invoice i WHERE i.payment_hash = ANY (p_hash)
    ORDER BY i.payment_hash FOR NO KEY UPDATE SKIP LOCKED);
  payees CONSTANT uuid[] := ARRAY(SELECT i.wallet_id FROM invoice i WHERE i.payment_hash = ANY (p_hash)
    UNION SELECT f.wallet_id FROM invoice_forgotten f WHERE f.payment_hash = ANY (forgotten));
  -- A payment to a wallet in dollars may be credited in bitcoin.
  accounts CONSTANT uuid[] := ARRAY(SELECT w.account_id FROM wallet w WHERE w.id = ANY (payees));
  ledgers_free CONSTANT bigint[] := ledger_lock_free(
    ARRAY(SELECT w.ledger_account_id FROM wallet w WHERE w.account_id = ANY (accounts)));
  held CONSTANT uuid[] := ARRAY(SELECT w.account_id FROM wallet w
    WHERE w.account_id = ANY (accounts) AND w.ledger_account_id <> ALL (ledgers_free));
BEGIN
  RETURN ARRAY(
    SELECT lock_is_held(i.payment_hash, bills_free) OR coalesce(w.account_id = ANY (held), false)
      FROM unnest(p_hash) WITH ORDINALITY AS h(hash, n)
      LEFT JOIN invoice i ON i.payment_hash = h.hash AND i.payment_hash = ANY (p_hash)
      LEFT JOIN (SELECT encode(f.payment_hash, 'hex') AS hash, f.wallet_id FROM invoice_forgotten f
        WHERE f.payment_hash = ANY (forgotten)) AS f ON f.hash = h.hash
      LEFT JOIN wallet w ON w.id = coalesce(i.wallet_id, f.wallet_id) AND w.id = ANY (payees)
     ORDER BY h.n);
END $$;
