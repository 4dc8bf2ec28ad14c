-- Invoices that Sluice looks up at the node: only the node knows whether one that has expired unpaid can still be paid,
-- and the stream of settlements may have missed a payment. One look-up at their expiry; more only while the node does
-- not answer, holds a payment that it has not settled, or has a clock that is behind.

-- Claims invoices that have expired, for one minute; other processes skip them.
CREATE OR REPLACE FUNCTION invoice_due(p_node text, p_limit integer) RETURNS SETOF text LANGUAGE sql
SET search_path FROM CURRENT AS $$
  UPDATE invoice SET next_look_at = now() + interval '1 minute'
   WHERE payment_hash = ANY (ARRAY(
     SELECT payment_hash FROM invoice
      WHERE node_id = p_node AND state <> 'paid' AND closed_at IS NULL AND expires_at <= now() AND next_look_at <= now()
      ORDER BY expires_at, payment_hash LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED))
  RETURNING payment_hash
$$;

-- Records the node's answers: closed (cancelled, expired or not found), refused (settled, but it cannot be credited:
-- the operator has to review it) or open (a payment is on its way, or the node's clock is behind: asked again after
-- pauses that double). Only expired invoices are recorded: before that, the node's answer may change. Closed is final,
-- and published once. Invoices that another transaction holds are skipped until their next look-up.
CREATE OR REPLACE FUNCTION invoice_looked_up(p_node text, p_answers invoice_answer[]) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  hashes CONSTANT text[] := ARRAY(SELECT a.payment_hash FROM unnest(p_answers) AS a);
  free CONSTANT text[] := ARRAY(SELECT payment_hash FROM invoice WHERE payment_hash = ANY (hashes) ORDER BY payment_hash
    FOR NO KEY UPDATE SKIP LOCKED);
  expired text[];
BEGIN
  WITH noted AS (
    UPDATE invoice i
       SET closed_at = CASE x.answer WHEN 'closed' THEN now() END,
           next_look_at = CASE x.answer WHEN 'refused' THEN 'infinity'
             WHEN 'open' THEN now() + least(interval '5 minutes', greatest(interval '1 second', now() - i.expires_at))
             ELSE next_look_at END
      FROM unnest(p_answers) AS x
     WHERE i.payment_hash = x.payment_hash AND i.payment_hash = ANY (free) AND i.node_id = p_node AND i.state <> 'paid'
       AND i.closed_at IS NULL
       AND i.expires_at <= now()
    RETURNING i.payment_hash, i.state, i.closed_at
  ) SELECT array_agg(payment_hash) INTO expired FROM noted WHERE state = 'open' AND closed_at IS NOT NULL;
  PERFORM invoice_publish(expired);
END $$;

-- Deletes unpaid invoices that others than the owner created: the node has reported that nothing can pay them any more,
-- and the stream of settlements has run for p_seconds since. invoice_forgotten keeps the wallet, so that a payment that
-- is reported later is still credited. One whose webhook is not made yet stays until then.
-- Returns how many.
CREATE OR REPLACE FUNCTION invoice_forget(p_node text, p_seconds integer, p_limit integer) RETURNS integer
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  forgotten integer;
BEGIN
  WITH gone AS (
    DELETE FROM invoice WHERE payment_hash = ANY (ARRAY(
      SELECT payment_hash FROM invoice
       WHERE node_id = p_node AND NOT by_owner AND state <> 'paid'
         AND closed_at <= now() - make_interval(secs => p_seconds) AND expires_at <= now()
         AND webhook_url IS NULL
       ORDER BY closed_at LIMIT p_limit FOR UPDATE SKIP LOCKED))
    RETURNING payment_hash, wallet_id, cents_per_btc, dealer_cents_per_btc
  ) INSERT INTO invoice_forgotten (payment_hash, wallet_id, cents_per_btc, dealer_cents_per_btc)
    SELECT decode(payment_hash, 'hex'), wallet_id, cents_per_btc, dealer_cents_per_btc FROM gone;
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END $$;
