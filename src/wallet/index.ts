export { AccountEntity } from './account.entity.js';
export { AccountService, type WalletRef } from './account.service.js';
export { HistoryService, type HistoryScope } from './history.service.js';
export { TransactionEntity } from './transaction.entity.js';
export { transactionOf, type TransactionRecord, type TransactionRow } from './transaction.row.js';
export { WalletEntity } from './wallet.entity.js';
export { walletIdsOf } from './wallet-filter.js';
export { WalletModule } from './wallet.module.js';
export { balanceOf, toApiAmount, type AccountRow, type Currency, type WalletRow } from './wallet.row.js';
