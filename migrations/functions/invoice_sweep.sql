-- Only the node knows whether an expired invoice can still be paid, and the stream of settlements may have missed a
-- payment. It is asked once; again only while it does not answer, holds a payment, or has a clock that is behind.

CREATE OR REPLACE FUNCTION invoice_due(p_node text, p_limit integer) RETURNS SETOF text LANGUAGE sql
SET search_path FROM CURRENT AS $$
  UPDATE invoice SET next_look_at = now() + interval '1 minute'
   WHERE payment_hash = ANY (ARRAY(
     SELECT payment_hash FROM invoice
      WHERE node_id = p_node AND state <> 'paid' AND closed_at IS NULL AND expires_at <= now()
        -- A time beyond the longest pause was written while the clock was ahead; an operator reviews those of infinity.
        AND (next_look_at <= now() OR next_look_at > now() + interval '5 minutes' AND next_look_at < 'infinity')
      ORDER BY expires_at, payment_hash LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED))
  RETURNING payment_hash
$$;

-- Answers: closed (cancelled, expired or not found: final, and published once), refused (settled, but it cannot be
-- credited) or open (a payment is on its way, or the node's clock is behind: pauses double). Before the expiry an
-- answer may change, and is not recorded.
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

-- The node reported p_seconds ago that nothing can pay these invoices any more. invoice_forgotten keeps the wallet, so
-- that a payment reported later is still credited. Those of their owner go after thirty days without such a row: a
-- payment reported later waits for an operator. An invoice whose webhook is not made yet stays.
CREATE OR REPLACE FUNCTION invoice_forget(p_node text, p_seconds integer, p_limit integer) RETURNS integer
LANGUAGE plpgsql SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE
  forgotten integer;
  forgotten_of_owners integer;
BEGIN
  DELETE FROM invoice WHERE payment_hash = ANY (ARRAY(
    SELECT payment_hash FROM invoice
     WHERE node_id = p_node AND by_owner AND state <> 'paid'
       AND closed_at <= now() - interval '30 days' AND expires_at <= now()
       AND webhook_url IS NULL
     ORDER BY closed_at LIMIT p_limit FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS forgotten_of_owners = ROW_COUNT;
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
  RETURN forgotten + forgotten_of_owners;
END $$;
