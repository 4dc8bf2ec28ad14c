export { counterpartyOf, displayOf, feeOf } from './display.js';
export { HistoryFileService, type FileRequest } from './history-file.service.js';
export { HistoryService, MAX_SEARCHED, type HistoryScope } from './history.service.js';
export { TransactionEntity } from './transaction.entity.js';
export { TransactionModule } from './transaction.module.js';
export { madeAt, TRANSACTION_COLUMNS, type OnChainSettlementRow, type TransactionRow } from './transaction.row.js';
