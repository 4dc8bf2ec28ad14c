-- PostgreSQL inlines these functions.

-- All the bitcoin there can be, in msat, bounds amounts and balances. Two of them fit a bigint.
CREATE OR REPLACE FUNCTION ledger_max_amount() RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
SELECT 2100000000000000000 $$;

CREATE OR REPLACE FUNCTION msat_rounded_up(p_msat bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
SELECT (p_msat + 999) / 1000 * 1000 $$;

-- `SystemAccount` in src/money/ledger has the same names; a test compares them.
CREATE OR REPLACE FUNCTION ledger_system_account(p_label text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_label WHEN 'lightning' THEN -1 WHEN 'fees' THEN -2 WHEN 'dealerBtc' THEN -3 WHEN 'dealerUsd' THEN -4
    WHEN 'loss' THEN -5 WHEN 'unclaimed' THEN -6 WHEN 'adjustment' THEN -7
    WHEN 'onchain' THEN -8 WHEN 'depositWaiting' THEN -9 END::bigint
$$;

CREATE OR REPLACE FUNCTION ledger_journal_kind(p_name text) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_name WHEN 'payment_begin' THEN 1 WHEN 'invoice_settle' THEN 2 WHEN 'payment_capture' THEN 3
    WHEN 'payment_void' THEN 4 WHEN 'payment_overtaken' THEN 5 WHEN 'settlement_claim' THEN 6
    WHEN 'adjustment' THEN 7 WHEN 'deposit_credit' THEN 8 WHEN 'deposit_wait' THEN 9 WHEN 'deposit_unclaim' THEN 10
    WHEN 'deposit_hold' THEN 11 WHEN 'deposit_release' THEN 12 END::smallint
$$;
