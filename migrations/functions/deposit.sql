-- What is paid to bitcoin addresses of wallets, as scans of the chain find it. A scan that has begun is the only one
-- that writes. Lock order: onchain_cursor, deposits, then the ledger's.

-- Begins a scan: what an earlier one has read may not be true any more, and it writes nothing from now on.
CREATE OR REPLACE FUNCTION onchain_scan_begin(OUT scan bigint, OUT height integer, OUT block_hash text) LANGUAGE sql
SET search_path FROM CURRENT AS $$
  UPDATE onchain_cursor c SET scan = c.scan + 1 RETURNING c.scan, c.height, c.block_hash
$$;

CREATE OR REPLACE FUNCTION onchain_scan_goes_on(p_scan bigint) RETURNS boolean LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM FROM onchain_cursor c WHERE c.scan = p_scan FOR NO KEY UPDATE;
  RETURN FOUND;
END $$;

-- The rows of the history of deposits that have none yet: of the whole amount, in dollars at the price of now. Without
-- a price a wallet in dollars waits for one, also in a block that no scan reads again; what is worth less than a cent
-- goes to the wallet in bitcoin.
CREATE OR REPLACE FUNCTION deposit_show(p_scan bigint, p_bid bigint, p_cents_per_btc bigint) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  shown deposit[];
BEGIN
  WITH named AS (
    UPDATE deposit d SET history_id = gen_random_uuid(), wallet_id = x.wallet_id
      FROM (SELECT n.txid, n.vout, CASE WHEN w.currency = 'USD' AND dealer_cents_down(n.sats * 1000, p_bid) = 0
                THEN wallet_in_bitcoin(w.id) ELSE w.id END AS wallet_id
              FROM deposit n JOIN wallet w ON w.id = n.wallet_id
             WHERE n.state = 'pending' AND n.history_id IS NULL AND (n.scan = p_scan OR n.height IS NOT NULL)
               AND (w.currency = 'BTC' OR p_bid IS NOT NULL)) AS x
     WHERE d.txid = x.txid AND d.vout = x.vout
    RETURNING d.*
  ) SELECT array_agg(named::deposit ORDER BY named.seen_at, named.txid, named.vout) INTO shown FROM named;
  IF shown IS NULL THEN RETURN; END IF;
  PERFORM history_add_v2(ARRAY(
    SELECT ROW(d.history_id, w.id, 'RECEIVE', 'PENDING', CASE w.currency WHEN 'BTC' THEN d.sats * 1000
        ELSE dealer_cents_down(d.sats * 1000, p_bid) END, 0, NULL, NULL, 'onchain', 'onchain', NULL, NULL, NULL, NULL,
      NULL, NULL, p_cents_per_btc, false, d.address, d.txid, d.vout)::history_row_v2
      FROM unnest(shown) AS d JOIN wallet w ON w.id = d.wallet_id));
END $$;

-- A page of a scan. False: another scan has begun. What had failed may still come. A wallet may list an output that a
-- reorganisation has moved on two pages, and one of them says that it is in no block.
CREATE OR REPLACE FUNCTION deposit_see(p_scan bigint, p_outputs onchain_output[], p_bid bigint, p_cents_per_btc bigint)
RETURNS boolean LANGUAGE plpgsql SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE
  addresses CONSTANT text[] := ARRAY(SELECT o.address FROM unnest(p_outputs) AS o);
BEGIN
  IF NOT onchain_scan_goes_on(p_scan) THEN RETURN false; END IF;
  INSERT INTO deposit AS d (txid, vout, address, wallet_id, account_id, sats, height, block_hash, seen_at, scan)
    SELECT DISTINCT ON (o.txid, o.vout) o.txid, o.vout, a.address, a.wallet_id, a.account_id, o.sats, o.height,
      o.block_hash, o.seen_at, p_scan
      FROM unnest(p_outputs) AS o JOIN onchain_address a ON a.address = o.address AND a.address = ANY (addresses)
     WHERE o.sats BETWEEN 1 AND 2100000000000000
     ORDER BY o.txid, o.vout, o.height
  ON CONFLICT (txid, vout) DO UPDATE SET scan = p_scan,
    height = coalesce(excluded.height, CASE d.scan WHEN p_scan THEN d.height END),
    block_hash = coalesce(excluded.block_hash, CASE d.scan WHEN p_scan THEN d.block_hash END),
    gone_at = NULL, state = CASE d.state WHEN 'failed' THEN 'pending' ELSE d.state END,
    history_id = CASE WHEN d.state <> 'failed' THEN d.history_id END;
  PERFORM deposit_show(p_scan, p_bid, p_cents_per_btc);
  RETURN true;
END $$;

-- Transactions that will not come: another one that spends the same coin is deep in the chain.
CREATE OR REPLACE FUNCTION deposit_fail(p_txids text[]) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT
SET enable_seqscan = off AS $$
DECLARE
  failed uuid[];
BEGIN
  PERFORM FROM onchain_cursor FOR NO KEY UPDATE;
  WITH ended AS (
    UPDATE deposit d SET state = 'failed'
      WHERE d.txid = ANY (p_txids) AND d.state = 'pending' AND d.gone_at IS NOT NULL
    RETURNING d.history_id
  ) SELECT array_agg(history_id) INTO failed FROM ended WHERE history_id IS NOT NULL;
  PERFORM history_settle(ARRAY(SELECT ROW(t.id, 'FAILURE', t.amount, 0, NULL, 'replaced')::history_end
    FROM transaction t WHERE t.id = ANY (failed)));
END $$;
