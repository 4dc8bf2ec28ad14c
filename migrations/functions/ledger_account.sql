-- Opens accounts of the ledger.

-- The functions resolve names in the schema that they are created in, for every caller, and never in pg_temp.
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Opens a customer's account. Currency: 1 = BTC (msat), 2 = USD (cents).
CREATE OR REPLACE FUNCTION ledger_open(p_currency smallint) RETURNS bigint LANGUAGE sql SECURITY DEFINER
SET search_path FROM CURRENT AS $$
  INSERT INTO ledger_account (id, currency) VALUES (nextval('ledger_account_id'), p_currency) RETURNING id
$$;
