-- An event carries no preimage: that is the payer's receipt. Invoices with a webhook have an event more.
CREATE OR REPLACE FUNCTION invoice_publish(p_hash text[]) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  SELECT event_add(array_agg(t.topic), array_agg(i.payment_hash),
                   array_agg(jsonb_build_object('state', CASE WHEN i.state = 'open' THEN 'expired' ELSE i.state END)))
    FROM invoice i
      CROSS JOIN LATERAL (SELECT 'invoice.changed' AS topic UNION ALL SELECT 'invoice.webhook'
        WHERE i.webhook_url IS NOT NULL) AS t
   WHERE i.payment_hash = ANY (p_hash) HAVING count(*) > 0
$$;

CREATE OR REPLACE FUNCTION invoice_mark_paid(p_hash text[], p_via text) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE invoice SET state = 'paid', settled_via = p_via, paid_at = clock_timestamp()
    WHERE payment_hash = ANY (p_hash) AND state <> 'paid';
  PERFORM invoice_publish(p_hash);
END $$;

-- Returns cancelled | paid | unknown. Idempotent.
CREATE OR REPLACE FUNCTION invoice_cancel(p_account uuid, p_wallet uuid, p_hash text) RETURNS text LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  found_state text;
BEGIN
  SELECT state INTO found_state FROM invoice
    WHERE payment_hash = p_hash AND account_id = p_account AND wallet_id = p_wallet FOR NO KEY UPDATE;
  IF found_state IS NULL THEN RETURN 'unknown'; END IF;
  IF found_state = 'open' THEN
    UPDATE invoice SET state = 'cancelled' WHERE payment_hash = p_hash;
    PERFORM invoice_publish(ARRAY[p_hash]);
  END IF;
  RETURN CASE found_state WHEN 'paid' THEN 'paid' ELSE 'cancelled' END;
END $$;

-- Those of an account's wallets, by which an index finds them, that their node may still be paid. After a day the node
-- that made one is gone.
CREATE OR REPLACE FUNCTION invoice_payable(p_wallets uuid[], p_limit integer) RETURNS SETOF text LANGUAGE sql STABLE
SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  SELECT i.payment_hash FROM invoice i WHERE i.wallet_id = ANY (p_wallets) AND i.state = 'open' AND i.closed_at IS NULL
    AND i.expires_at > now() - interval '1 day' LIMIT p_limit
$$;

-- Those of an account that was deleted. One that its node may still be paid stays until then.
CREATE OR REPLACE FUNCTION invoice_forget_account(p_wallets uuid[], p_limit integer) RETURNS integer LANGUAGE plpgsql
SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE
  forgotten integer;
BEGIN
  DELETE FROM invoice WHERE payment_hash = ANY (ARRAY(SELECT i.payment_hash FROM invoice i
    WHERE i.wallet_id = ANY (p_wallets) AND i.payment_hash NOT IN (SELECT invoice_payable(p_wallets, p_limit))
    LIMIT p_limit));
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END $$;
