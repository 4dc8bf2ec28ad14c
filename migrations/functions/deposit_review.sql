-- How an operator ends the cases of deposits that `settlement list` shows. Lock order: see deposit.sql.

-- 'booked' to a wallet, as if it had been its deposit | 'unknown': no such deposit is unclaimed | 'unproven': a
-- reorganisation has taken it | 'no_wallet' | 'refused': by the ledger.
CREATE OR REPLACE FUNCTION deposit_book(p_txid text, p_vout integer, p_account uuid, p_who text, p_because text)
RETURNS text LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  wanted deposit; payee wallet;
  row_id CONSTANT uuid := gen_random_uuid();
BEGIN
  PERFORM FROM onchain_cursor FOR NO KEY UPDATE;
  SELECT * INTO wanted FROM deposit d WHERE d.txid = p_txid AND d.vout = p_vout AND d.state = 'unclaimed';
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  IF wanted.unproven_at IS NOT NULL THEN RETURN 'unproven'; END IF;
  SELECT * INTO payee FROM wallet w WHERE w.account_id = p_account AND w.currency = 'BTC' FOR KEY SHARE;
  IF NOT FOUND THEN RETURN 'no_wallet'; END IF;
  IF (ledger_apply(ARRAY[ROW('post', deposit_key('onchain book', wanted), ledger_journal_kind('settlement_claim'), NULL,
    ARRAY[ROW(ledger_system_account('unclaimed'), wanted.sats * -1000), ROW(payee.ledger_account_id, wanted.sats * 1000)
      ]::ledger_leg[])::ledger_operation]))[1] <> 'ok' THEN RETURN 'refused'; END IF;
  PERFORM history_add_v2(ARRAY[ROW(row_id, payee.id, 'RECEIVE', 'SUCCESS', wanted.sats * 1000, 0, NULL, NULL, 'onchain',
    'onchain', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, wanted.address, p_txid, p_vout)::history_row_v2]);
  UPDATE deposit d SET state = 'credited', credited = d.sats * 1000, wallet_id = payee.id, account_id = p_account,
         history_id = row_id WHERE d.txid = p_txid AND d.vout = p_vout;
  PERFORM operator_action_add(p_who, 'deposit book', p_txid || ':' || p_vout, p_because,
    jsonb_build_object('account', p_account, 'wallet', payee.id, 'msat', (wanted.sats * 1000)::text));
  RETURN 'booked';
END $$;

-- Ends the hold of one that a reorganisation has taken; if it comes into a block again, it is held and released as
-- before. False: there is no such deposit.
CREATE OR REPLACE FUNCTION deposit_release(p_txid text, p_vout integer, p_who text, p_because text) RETURNS boolean
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  wanted deposit;
BEGIN
  PERFORM FROM onchain_cursor FOR NO KEY UPDATE;
  SELECT * INTO wanted FROM deposit d WHERE d.txid = p_txid AND d.vout = p_vout AND d.unproven_at IS NOT NULL;
  IF NOT FOUND THEN RETURN false; END IF;
  IF wanted.hold_id IS NOT NULL AND (ledger_apply(ARRAY[ROW('void', deposit_key('onchain release ' || wanted.unproven,
    wanted), ledger_journal_kind('deposit_release'), wanted.hold_id, NULL)::ledger_operation]))[1] <> 'ok' THEN
    RETURN false;
  END IF;
  UPDATE deposit d SET unproven_at = NULL, hold_id = NULL, credited_hash = d.block_hash
   WHERE d.txid = p_txid AND d.vout = p_vout;
  PERFORM history_note(ARRAY[wanted.history_id], NULL);
  PERFORM operator_action_add(p_who, 'deposit release', p_txid || ':' || p_vout, p_because,
    jsonb_build_object('account', wanted.account_id, 'sats', wanted.sats::text));
  RETURN true;
END $$;
