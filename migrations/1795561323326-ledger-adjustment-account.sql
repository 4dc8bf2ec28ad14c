-- The system account that the adjustments of operators are booked against: below zero by what customers got. `SystemAccount` repeats it.
INSERT INTO ledger_account (id, currency, allow_negative, hot, label) VALUES (-7, 1, true, false, 'adjustment');
