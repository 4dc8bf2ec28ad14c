-- Nothing else inserts accounts and wallets: the statement that registers a user opens them.

CREATE OR REPLACE FUNCTION account_open() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  account_id uuid := gen_random_uuid();
  btc uuid := gen_random_uuid();
BEGIN
  INSERT INTO account (id, user_id, default_wallet_id) VALUES (account_id, new.id, btc);
  INSERT INTO wallet (id, account_id, currency, ledger_account_id)
    VALUES (btc, account_id, 'BTC', ledger_open(1::smallint)),
      (gen_random_uuid(), account_id, 'USD', ledger_open(2::smallint));
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER app_user_account AFTER INSERT ON app_user FOR EACH ROW EXECUTE FUNCTION account_open();
