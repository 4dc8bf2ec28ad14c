-- The operator's accounts for the chain; `SystemAccount` repeats them.
INSERT INTO ledger_account (id, currency, allow_negative, hot, label) VALUES
  (-8, 1, true, true, 'onchain'),         -- the coins of the node's wallet: negative by what came in and has not gone out
  (-9, 1, true, true, 'depositWaiting');  -- deposits below the fee, of addresses that may receive more
