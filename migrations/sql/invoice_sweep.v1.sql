-- Invoices that the node is asked about, because its stream of settlements may have told of them to no reader. One look after their time;
-- more only while the node does not know, or holds a payment that it has not settled.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Invoices whose time has been over for five minutes, claimed for the caller for one minute; other processes pass them by.
CREATE FUNCTION invoice_due(p_node text, p_limit integer) RETURNS SETOF text LANGUAGE sql SET search_path FROM CURRENT AS $$
  UPDATE invoice SET next_look_at = now() + interval '1 minute'
   WHERE payment_hash = ANY (ARRAY(
     SELECT payment_hash FROM invoice
      WHERE node_id = p_node AND state <> 'paid' AND closed_at IS NULL AND expires_at <= now() - interval '5 minutes' AND next_look_at <= now()
      ORDER BY expires_at, payment_hash LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED))
  RETURNING payment_hash
$$;

-- What the node said about invoices: closed (cancelled, expired or not found), refused (settled, but it cannot be credited: the operator
-- has to look) or open (a payment is on its way). Only what is past its time is written down: before that, the node may change its mind.
-- What another transaction holds is not written down: its turn comes again.
CREATE FUNCTION invoice_looked_up(p_node text, p_hash text[], p_answer text[]) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  free CONSTANT text[] := ARRAY(SELECT payment_hash FROM invoice WHERE payment_hash = ANY (p_hash) ORDER BY payment_hash FOR NO KEY UPDATE SKIP LOCKED);
BEGIN
  UPDATE invoice i
     SET closed_at = CASE x.answer WHEN 'closed' THEN now() END,
         next_look_at = CASE x.answer WHEN 'refused' THEN 'infinity' WHEN 'open' THEN now() + interval '5 minutes' ELSE next_look_at END
    FROM unnest(p_hash, p_answer) AS x(hash, answer)
   WHERE i.payment_hash = x.hash AND i.payment_hash = ANY (free) AND i.node_id = p_node AND i.state <> 'paid' AND i.expires_at <= now();
END $$;

-- Deletes what strangers asked for and did not pay: its node has said that it can pay nothing any more, and the stream of settlements has
-- been heard for p_seconds since. What is known of it after that is the wallet, so that a payment which is told of later still arrives.
-- Answers how many.
CREATE FUNCTION invoice_forget(p_node text, p_seconds integer, p_limit integer) RETURNS integer LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  forgotten integer;
BEGIN
  WITH gone AS (
    DELETE FROM invoice WHERE payment_hash = ANY (ARRAY(
      SELECT payment_hash FROM invoice
       WHERE node_id = p_node AND NOT by_owner AND state <> 'paid' AND closed_at <= now() - make_interval(secs => p_seconds) AND expires_at <= now()
       ORDER BY closed_at LIMIT p_limit FOR UPDATE SKIP LOCKED))
    RETURNING payment_hash, wallet_id, cents_per_btc
  ) INSERT INTO invoice_forgotten SELECT decode(payment_hash, 'hex'), wallet_id, cents_per_btc FROM gone;
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END $$;
