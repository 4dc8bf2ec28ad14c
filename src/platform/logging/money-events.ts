import { error, fault, info, outage, warn } from './entry.js';

export const MONEY_EVENTS = {
  payment_begin_rolled_back: warn(
    'The database rolled back the statement that begins the payment. The payment was refused, and no money moved',
    "Check PostgreSQL's log",
  ),
  payment_begin_unanswered: outage('The database did not answer whether the payment began. Sluice asks again while the caller waits'),
  payment_begin_unconfirmed: error(
    'The database did not answer before `PAYMENT_WAIT_SECONDS` ended. The payment may have begun; the caller received `PENDING` and its id',
    'Check the connection to the database, then run `sluice payment show <id>`',
  ),
  payment_dispatch_unconfirmed: warn(
    'The database did not confirm that the payment may be sent. Sluice does not send it, and asks again',
    'Check the database; end a session that locks the payment',
  ),
  payment_dispatch_contradicted: error(
    'The node reported the payment in flight, and then that it was not sent. The money stays held until the node reports an outcome',
    "Check the node's record of the payment",
  ),
  payment_sighting_not_stored: outage(
    'The node has the payment in flight, and the database could not store that. Sluice stores it at the next report of the node',
  ),
  payment_unexpected_error: fault(
    'A step of a payment failed by a fault of Sluice or of an adapter. A payment in flight stays held; the reconciler asks the node about it',
  ),
  payment_reconcile_unavailable: outage(
    'The reconciler could not reach the database. Payments in flight stay held, and the reconciler retries',
  ),
  payment_dispatcher_silent: outage(
    'This process could not store a sign of life. If it lasts for minutes, payments that it has sent and that the node does not know are released sooner',
  ),
  payment_outcome_stream_failed: outage(
    "An outcome of the node's stream could not be booked. Sluice opens the stream again; the payment stays held meanwhile",
  ),
  payment_recheck_unavailable: outage('Failed payments could not be looked up again. Sluice retries'),
  payout_unavailable: outage(
    'Payments to bitcoin addresses could not be sent or followed, because the database did not answer. Sluice retries',
  ),
  payout_wallet_short: error(
    'The coins of the bitcoin wallet do not cover queued payments to bitcoin addresses (`speed`, `payouts`), or are leased. They wait and are tried again',
    'Send bitcoin to the wallet, or wait for the confirmation of its change; `sluice payout list` shows what waits',
  ),
  payout_dear: warn(
    'With the coins of the wallet the payments to bitcoin addresses (`payouts` of the `speed`) would cost more than was held for them. They wait',
    'Join small coins of the wallet while fees are low, or cancel them by `sluice payout cancel`',
  ),
  payout_refused: error(
    'The bitcoin wallet refuses to pay a batch (`paymentIds`) at all. Its payments are tried one by one; what it refuses stays in the queue',
    'See the log of the node; `sluice payout cancel <id>` ends what it never pays',
  ),
  payout_rejected: error(
    'The node does not take a stored transaction of payments to bitcoin addresses now (`reason`). Sluice sends it again and again; nothing is lost',
    'If its fee is too low, `sluice payout bump`. If its inputs are spent, `payout_conflict` follows with the confirmation of the other transaction; where the node cannot know it (a coin of a deposit that was replaced), `sluice payout requeue`',
  ),
  payout_block_gone: warn(
    'A reorganisation has taken the block of a transaction of payments to bitcoin addresses. It is sent again; no money moves back',
    'Nothing, unless it does not get into a block again: `sluice payout show`',
  ),
  payout_conflict: error(
    'Another transaction (`by`) has spent inputs of a transaction of payments to bitcoin addresses: a second program uses the keys of the wallet. After six confirmations the payments are sent by another transaction',
    'Find the program that spends the coins of the wallet, and stop it',
  ),
  payout_lease_lost: warn(
    'The wallet does not keep the inputs of a transaction of payments to bitcoin addresses any more: another program has leased them, or they are spent',
    'Find the other program; `sluice payout show` says whether the transaction is in the mempool',
  ),
  payment_node_mismatch: error(
    'The payment was sent by another node than the connected one. The money stays held, because only that node knows the outcome',
    'Connect the node that sent the payment, or run `sluice payment resolve <id>`',
  ),
  payment_forgotten_by_node: error(
    'The node had the payment in flight and does not know it now. The money may be gone and stays held',
    "Check the node's channels and logs, and the payee's; then run `sluice payment resolve <id>`",
  ),
  payment_not_found: error(
    'The payment was sent, and the node does not know it. The node may have lost its records (restored, payment index lower, or no index), so the money stays held',
    'Find the outcome with the node and the payee, then run `sluice payment resolve <id>`',
  ),
  payment_in_flight_after_release: error(
    'The node has the payment in flight after Sluice released its money. If it settles, the amount is booked to the loss account',
    "Check the node's record of the payment; a request of your adapter was delivered late",
  ),
  payment_settled_after_release: error(
    'The payment settled after Sluice had released its money. The payer received a failure; the amount is booked to the loss account and counted in `sluice_payment_losses_msat_total`',
    "Check the node's record of the payment; a request of your adapter was delivered late",
  ),
  payment_overcharged: error(
    'The node charged more than was held for the payment. The rest is booked to the loss account and counted in `sluice_payment_losses_msat_total`',
    "Check the node's fee limit",
  ),
  price_record_failed: warn(
    'The database did not store the price. `btcPriceList` lacks it, and when the stored rates have expired, new transactions are shown in US dollars. Sluice retries every minute',
    'Check the database if this repeats',
  ),
  price_unavailable: warn(
    'The price source has no price to be trusted, does not answer, or failed. Dollars are not shown, `realtimePrice` answers `PRICE_UNAVAILABLE`, and Sluice makes payments and invoices in bitcoin without a price',
    'Check the price source, if `price_available` does not follow soon',
  ),
  price_source_rejected: warn(
    'A source of `PRICE_SOURCES` gave no usable price: it did not answer, its price is too old, or is too far away from the median. The price is the median of the others',
    'Check the source if `price_source_accepted` does not follow; name another one if it stays so',
  ),
  price_source_accepted: info('A source of `PRICE_SOURCES` gives a usable price again', 'No action needed'),
  price_available: info('The price source has a price again', 'No action needed'),
  payment_policy_failed: error(
    'The payment policy of this installation threw an error, or did not answer within five seconds. The payment, invoice or registration was refused before anything was held, made or stored',
    'Correct the policy',
  ),
  payment_preimage_mismatch: error(
    'The node reported the payment as settled with a preimage that does not fit its payment hash. The report is rejected, and the money stays held',
    "Check the node's record of the payment, and your adapter",
  ),
  payment_outcome_rejected: error(
    'The ledger rejected the outcome that the node reported, such as an impossible fee. The payment stays in flight, and its money held',
    "Check the node's record of the payment; run `sluice audit`",
  ),
  payment_outcome_locked: warn(
    'Another session locks a row that the outcome of the payment needs. Sluice books the outcome when the session ends its transaction',
    'Find the session in `pg_stat_activity` (the oldest `xact_start`) and end it',
  ),
  payment_outcome_delayed: outage('The outcome of the payment could not be booked. The money stays held, and Sluice retries'),
  payment_outcome_left_to_reconciler: error(
    'The outcome of the payment could not be booked in many retries. The money stays held; the reconciler books the outcome when the database answers',
    'Check the database',
  ),
  payment_index_went_back: error(
    'The payment index of the node is lower than before: it was restored from an older copy, or records were deleted. "Not found" from it proves nothing, so payments that it does not know stay held',
    'Stop sending until you know the cause; list the payments with `sluice payment list --state in_flight` and end each with `sluice payment resolve <id>`',
  ),
  lightning_node_unreachable: warn(
    'The Lightning node does not answer. Sends fail or stay pending until it does',
    'Check the node and the connection to it',
  ),
  lightning_node_reachable: info('The Lightning node answers again'),
  lightning_call_fault: warn(
    'A call of the back end passed its deadline, threw, or was not made because too many were in progress. Its result is unknown, and no other payment waits for it',
    'Check the node, the connection to it and your adapter; see `sluice_lightning_call_faults_total`',
  ),
  lightning_node_unusable: warn(
    'LND cannot be used: unreachable, locked, not synced, another node than before, or it refuses the macaroon. At most one line a minute',
    'Run `sluice lnd check`, which says what is missing',
  ),
  lightning_payment_refused: warn(
    'LND refused a payment before it began. Its money is released',
    'The line gives LND’s reason; with `permission denied`, run `sluice lnd check`',
  ),
  lightning_preimage_invalid: error(
    'LND reports a payment as settled without a valid proof. The money stays held',
    'Look at the payment at the node, then decide with `sluice payment resolve`',
  ),
  lightning_simulator_failed: fault('A call of the simulator failed by a fault of Sluice. Its result is unknown'),
  onchain_call_fault: warn(
    'A call of the on-chain wallet passed its deadline, threw, or was not made because too many were in progress. Its result is unknown',
    'Check the node, the connection to it and your adapter; see `sluice_onchain_call_faults_total`',
  ),
  onchain_simulator_failed: fault('A call of the simulated on-chain wallet failed by a fault of Sluice. Its result is unknown'),
  invoice_cancel_unconfirmed: warn(
    'An invoice was settled internally, and the node did not confirm that it cancelled its copy. Until it does, an outside payer could pay it once more; Sluice would credit that too. A job (`invoice_cancel`) asks the node again until the invoice expires',
    'Check the node and the connection to it if `job_given_up` follows, and cancel the invoice at the node that created it',
  ),
  invoice_cancel_not_repeated: error(
    'An invoice was settled internally, the node did not confirm that it cancelled its copy, and the database did not store the job that asks again',
    'Cancel the invoice at the node',
  ),
  invoice_lookup_unavailable: outage('Expired and open invoices could not be looked up. Sluice retries'),
  settlement_locked: warn(
    'Another session locks the wallet or the invoice of a received payment. Sluice credits it when the session ends its transaction',
    'Find the session in `pg_stat_activity` (the oldest `xact_start`) and end it',
  ),
  settlement_index_restarted: error(
    'The node counts its settlements from the start, as after a restore from its seed. Sluice reads all of them again and credits each payment once',
    "Compare the node's channels and invoices with your backup; invoices that the node has lost cannot be paid any more",
  ),
  settlement_rejected: error(
    'The node reported an impossible amount, or another one than is booked for this invoice. Sluice credited nothing; other settlements are not affected',
    "Check the node's record of this invoice; pay the recipient yourself if the money is theirs. `sluice settlement list` lists it",
  ),
  settlement_paid_twice: warn('An invoice was paid by a wallet of this server and over Lightning. Sluice credited both'),
  settlement_unclaimed: error(
    'The node received a payment for an unknown invoice. The amount is booked to the unclaimed account',
    'Find the recipient; `sluice settlement list` lists it, and `sluice settlement book` books it to their wallet',
  ),
  settlement_malformed: error(
    'The node reported a settlement with a malformed index or payment hash. Sluice credited nothing',
    "Check the node's own list of settlements, and your adapter",
  ),
  settlement_booking_unavailable: outage('Settlements of the node could not be booked. Sluice reads them again and credits each once'),
  deposit_scan_unavailable: warn(
    'The chain could not be scanned for on-chain deposits (`message`). It is scanned again every few seconds; nothing is missed',
    "Check the node's wallet, and the database, if this repeats",
  ),
  deposit_refused: error('The ledger refuses to book an on-chain deposit. Sluice tries again with each scan', 'Run `sluice audit`'),
  deposit_unclaimed: error(
    'A deposit has arrived at an address of a deleted account. The amount is booked to the unclaimed account',
    'Find the owner; `sluice settlement list` lists it, and `sluice deposit book` books it to a wallet',
  ),
  deposit_reorganised: error(
    'A reorganisation of the chain has taken a credited deposit out of its block. Its wallet is on hold for as much, as far as its balance goes',
    'Nothing, if `deposit_confirmed_again` follows. `sluice settlement list` lists it until then; `sluice deposit release` ends the hold of one that will not come again',
  ),
  deposit_confirmed_again: info(
    'A deposit that a reorganisation had taken out of its block has its confirmations again. Its hold has ended',
  ),
  database_restored: warn(
    'The database is a restored copy; all sends are stopped until it has been compared with the node, within seconds after the node answers',
    'Nothing, unless `reconciliation_unexplained` or `reconciliation_lost_payouts` follows',
  ),
  reconciliation_unavailable: warn(
    'The payments of the node could not be compared with the ledger (`message`); the comparison is repeated every 15 seconds',
    'Look for an outage of the database or the node',
  ),
  reconciliation_unexplained: error(
    'The node has made payments that a restored database does not know (`payments`); all sends are stopped',
    '`npm run sluice -- reconcile` lists them. Correct the balances of the customers who made them, then `reconcile --accept`',
  ),
  reconciliation_lost_payouts: error(
    'The wallet has sent transactions of payouts that a restored database does not know (`payouts`); all sends are stopped, because what they paid may be queued again',
    '`npm run sluice -- reconcile` lists them. Cancel the queued payouts that they have paid and correct the balances, then `reconcile --accept`',
  ),
  reconciliation_went_back: error(
    'The payment index of the node (`nodeId`) went back from `before` to `index`: the node was restored from an older copy, or its records were deleted; all sends are stopped',
    'Make sure that the node has all its channels, then `npm run sluice -- reconcile` and `reconcile --accept`',
  ),
  ledger_invariants_violated: error(
    "Entries and balances differ (`findings` lists where). Sluice's own code cannot write that",
    'Sluice has stopped all sends (`payment_sends_stopped`). Do not change the database, and compare it with the last backup',
  ),
  payment_sends_stopped: error(
    'The audit of the ledger failed, so no account can send; payments in flight end as usual, and payments arrive',
    'Find the cause as for `ledger_invariants_violated`; then `npm run sluice -- thaw --because <text>`',
  ),
  ledger_system_account_locked: error(
    'Another session locks the row of a system account, and payments wait for it',
    'Find the session in `pg_stat_activity` (an open transaction, the oldest `xact_start`) and end it: `SELECT pg_terminate_backend(pid)`',
  ),
} as const;
