-- Currency: 1 = BTC (msat), 2 = USD (cents).
CREATE OR REPLACE FUNCTION ledger_open(p_currency smallint) RETURNS bigint LANGUAGE sql SECURITY DEFINER
SET search_path FROM CURRENT AS $$
  INSERT INTO ledger_account (id, currency) VALUES (nextval('ledger_account_id'), p_currency) RETURNING id
$$;
