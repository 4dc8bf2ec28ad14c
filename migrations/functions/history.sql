-- Nothing else writes to `transaction`.

-- The id of what a wallet of ours received by a payment of ours, from the payment's, and the other way round: the last
-- bit differs.
CREATE OR REPLACE FUNCTION history_other_side(p_id uuid) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT (left(p_id::text, 35) || translate(right(p_id::text, 1), '0123456789abcdef', '1032547698badcfe'))::uuid
$$;

-- Amounts are text, because JSON numbers are exact only up to 2^53.
CREATE OR REPLACE FUNCTION history_publish(p_row transaction[]) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM event_add(array_agg('transaction.changed'::text), array_agg(t.account_id::text),
    array_agg(jsonb_build_object('id', t.id, 'status', t.status, 'amount', t.amount::text, 'fee', t.fee::text)))
    FROM unnest(p_row) AS t HAVING count(*) > 0;
END $$;

-- When the next rows of an account are: rows grow, also where the clock does not, or has gone back. The caller has the
-- lock of the account.
CREATE OR REPLACE FUNCTION history_place(p_account uuid, p_at timestamptz) RETURNS timestamptz LANGUAGE sql STABLE
SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  SELECT greatest(p_at::timestamptz(3), max((SELECT t.created_at FROM transaction t WHERE t.wallet_id = w.id
    ORDER BY t.created_at DESC, t.id DESC LIMIT 1)) + interval '1 millisecond')
    FROM wallet w WHERE w.account_id = p_account
$$;

-- A session that planned a join without `= ANY (array)` while tables were empty would scan them whole for each row.
-- The clock is read after ledger_apply, which may wait, and under locks of the accounts: otherwise a row that is
-- committed late would sort behind rows that clients have read, and one that pages with `before` would miss it. Rows of
-- one call and account have one time. One that is too far ahead of the clock only orders them: clock_at is shown.
CREATE OR REPLACE FUNCTION history_add_v2(p_row history_row_v2[]) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  wallets CONSTANT uuid[] := ARRAY(SELECT r.wallet_id FROM unnest(p_row) AS r);
  at timestamptz;
  added transaction[];
BEGIN
  PERFORM pg_advisory_xact_lock(lock_key)
    FROM (SELECT DISTINCT history_lock_key(w.account_id) AS lock_key FROM wallet w WHERE w.id = ANY (wallets)
      ORDER BY 1) AS sorted;
  at := clock_timestamp();
  WITH written AS (
    INSERT INTO transaction AS t (id, account_id, wallet_id, currency, direction, status, amount, fee, memo,
      external_id, external_id_by_owner, initiation, settlement, payment_hash, payment_request, preimage,
      counterparty_wallet_id, counterparty_username, failure, cents_per_btc, display_currency, display_rate,
      created_at, clock_at, settled_at, address, txid, vout)
      SELECT r.id, w.account_id, w.id, w.currency, r.direction, r.status, r.amount, r.fee, r.memo, r.external_id,
        coalesce(r.external_id_by_owner, false), r.initiation, r.settlement, r.payment_hash, r.payment_request,
        r.preimage, r.counterparty_wallet_id, r.counterparty_username, r.failure, r.cents_per_btc,
        CASE WHEN d.rate IS NOT NULL THEN d.currency END, d.rate, n.place, n.shown,
        CASE WHEN r.status <> 'PENDING' THEN coalesce(n.shown, n.place) END, r.address, r.txid, r.vout
        FROM unnest(p_row) AS r JOIN wallet w ON w.id = r.wallet_id AND w.id = ANY (wallets)
        -- The display amounts are frozen here. A join could be planned to read all accounts.
        CROSS JOIN LATERAL (SELECT (SELECT a.display_currency FROM account a WHERE a.id = w.account_id) AS currency
          OFFSET 0) AS c
        CROSS JOIN LATERAL (SELECT c.currency,
          CASE
            WHEN c.currency <> 'USD'
              AND (r.cents_per_btc IS NOT NULL OR w.currency = 'USD') THEN price_rate_of(c.currency) END AS rate
          OFFSET 0) AS d
        CROSS JOIN LATERAL (SELECT p.place, CASE WHEN p.place > at + interval '60 seconds' THEN at END AS shown
          FROM history_place(w.account_id, at) AS p(place) OFFSET 0) AS n
    -- A payment that has waited for its owner: the row stays where readers have seen it.
    ON CONFLICT (id) DO UPDATE
      SET status = excluded.status, amount = excluded.amount, fee = excluded.fee, external_id = excluded.external_id,
        external_id_by_owner = excluded.external_id_by_owner, settlement = excluded.settlement,
        preimage = excluded.preimage, counterparty_wallet_id = excluded.counterparty_wallet_id,
        counterparty_username = excluded.counterparty_username, cents_per_btc = excluded.cents_per_btc,
        display_currency = excluded.display_currency, display_rate = excluded.display_rate,
        settled_at = excluded.settled_at, approval_until = NULL
      WHERE t.status = 'PENDING' AND t.approval_until IS NOT NULL
    RETURNING t.*
  ) SELECT array_agg(written::transaction) INTO added FROM written;
  PERFORM history_publish(added);
END $$;

-- Locks without waiting, and returns what it got.
CREATE OR REPLACE FUNCTION history_lock_free(p_id uuid[]) RETURNS uuid[] LANGUAGE sql SET search_path FROM CURRENT
SET enable_seqscan = off AS $$
  SELECT ARRAY(SELECT t.id FROM transaction t WHERE t.id = ANY (p_id) ORDER BY t.id FOR NO KEY UPDATE SKIP LOCKED)
$$;

CREATE OR REPLACE FUNCTION history_settle(p_ends history_end[]) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  ids CONSTANT uuid[] := ARRAY(SELECT e.id FROM unnest(p_ends) AS e);
  settled transaction[];
BEGIN
  WITH written AS (
    UPDATE transaction t
      SET status = x.status, amount = x.amount, fee = x.fee, preimage = x.preimage, failure = x.failure,
        settled_at = clock_timestamp()
      FROM unnest(p_ends) AS x
     WHERE t.id = x.id AND t.id = ANY (ids) AND t.status = 'PENDING'
    RETURNING t.*
  ) SELECT array_agg(written::transaction) INTO settled FROM written;
  PERFORM history_publish(settled);
END $$;

-- The row, which history_add_v2 adds as pending, is of a payment that waits for its owner until then.
CREATE OR REPLACE FUNCTION history_wait(p_row history_row_v2, p_until timestamptz) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM history_add_v2(ARRAY[p_row]);
  UPDATE transaction SET approval_until = p_until WHERE id = p_row.id;
END $$;

-- The owner has not approved them, or they could not be made after that. Others of these ids stay.
CREATE OR REPLACE FUNCTION history_unwait(p_ids uuid[], p_failure text) RETURNS void LANGUAGE sql
SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  SELECT history_settle(ARRAY(SELECT ROW(t.id, 'FAILURE', t.amount + t.fee, 0, NULL, p_failure)::history_end
    FROM transaction t WHERE t.id = ANY (p_ids) AND t.approval_until IS NOT NULL))
$$;

-- The transaction that pays these addresses, or another one than before; null: none any more.
CREATE OR REPLACE FUNCTION history_place_output(p_ids uuid[], p_txid text, p_vouts integer[]) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE
  placed transaction[];
BEGIN
  WITH written AS (
    UPDATE transaction t
       SET txid = p_txid, vout = CASE WHEN p_txid IS NOT NULL THEN p_vouts[array_position(p_ids, t.id)] END
     WHERE t.id = ANY (p_ids) RETURNING t.*
  ) SELECT array_agg(written::transaction) INTO placed FROM written;
  PERFORM history_publish(placed);
END $$;

-- What a person reads beside an amount that cannot be spent yet. No update: the amount is the same.
CREATE OR REPLACE FUNCTION history_note(p_ids uuid[], p_memo text) RETURNS void LANGUAGE sql
SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  UPDATE transaction SET memo = p_memo WHERE id = ANY (p_ids)
$$;

-- Of an account that was deleted: what a person wrote, and whom they paid. Amounts, times and hashes stay. Returns the
-- rows, which are those of payments too.
CREATE OR REPLACE FUNCTION history_forget(p_wallets uuid[], p_limit integer) RETURNS uuid[] LANGUAGE plpgsql
SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE
  ids CONSTANT uuid[] := ARRAY(SELECT t.id FROM transaction t WHERE t.wallet_id = ANY (p_wallets)
    AND coalesce(t.memo, t.external_id, t.payment_request, t.counterparty_username) IS NOT NULL LIMIT p_limit);
BEGIN
  UPDATE transaction SET memo = NULL, external_id = NULL, payment_request = NULL, counterparty_username = NULL
    WHERE id = ANY (ids);
  RETURN ids;
END $$;
