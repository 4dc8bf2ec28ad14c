-- `AdvisoryLock` in src/platform/database/advisory-locks.ts has the same list; a test compares them. Keys never change:
-- a process of the release before locks with them too. A transaction takes them in this order:
--   migration, processes: a session that holds nothing else; processes is shared, so nothing waits for it
--   demo | signingKeys | ledgerAudit: the first statement of a transaction, which takes one of them
--   paymentFreeze: shared by payment_begin_v2, alone by a freeze and by account_delete, which take none after it but
--     events
--   payment hashes, sorted: after payments by id, before invoices by hash and the ledger's accounts
--   dealer: after invoices, before the ledger's accounts
--   histories of accounts, sorted by key: after the ledger's accounts
--   events: at the commit, after everything else

-- An unknown name is an error: a lock of NULL would be no lock.
CREATE OR REPLACE FUNCTION lock_key(p_name text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_name WHEN 'migration' THEN 7305821 WHEN 'signingKeys' THEN 7305822 WHEN 'ledgerAudit' THEN 7305823
    WHEN 'events' THEN 7305824 WHEN 'processes' THEN 7305826
    WHEN 'paymentFreeze' THEN 7305827 WHEN 'dealer' THEN 7305828 WHEN 'demo' THEN 8205317 ELSE p_name::bigint END
$$;

-- Two hashes, or accounts, with one key wait for each other without need, which harms neither.
CREATE OR REPLACE FUNCTION payment_lock_key(p_hash text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
SELECT hashtextextended(p_hash, 0) $$;
CREATE OR REPLACE FUNCTION history_lock_key(p_account uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
SELECT hashtextextended(p_account::text, 1) $$;

-- p_free has what could be locked without waiting. A null key has nothing to lock, which `<> ALL` would not say of an
-- empty array.
CREATE OR REPLACE FUNCTION lock_is_held(p_key anyelement, p_free anyarray) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_key IS NOT NULL AND p_key <> ALL (p_free)
$$;
