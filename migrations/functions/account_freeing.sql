-- When what an account has sent in 24 hours stops counting against its limits, by flow: the oldest of it, and all of it. It counts what account_spent counts.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

CREATE OR REPLACE FUNCTION account_freeing(p_id uuid) RETURNS TABLE (flow text, next_at timestamptz, all_at timestamptz)
LANGUAGE sql STABLE SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  SELECT account_flow(t.settlement = 'ln', t.counterparty_wallet_id = ANY (ARRAY(SELECT w.id FROM wallet w WHERE w.account_id = p_id))),
         min(t.created_at) + interval '24 hours', max(t.created_at) + interval '24 hours'
    FROM transaction t WHERE t.account_id = p_id AND t.created_at > now() - interval '24 hours'
     AND t.direction = 'SEND' AND t.status <> 'FAILURE' AND (t.settlement = 'ln' OR t.counterparty_wallet_id IS NOT NULL)
   GROUP BY 1
$$;
