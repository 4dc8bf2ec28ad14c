export { AccountLimitsService, type AccountLimitState, type AccountSpent, type LimitAmount } from './account-limits.service.js';
export { AccountService, type AccountOwner, type WalletRef } from './account.service.js';
export { AccountEntity, WalletEntity } from './wallet.entity.js';
export { distinctWallets, MAX_WALLETS, walletIdsOf } from './wallet-filter.js';
export { WalletModule } from './wallet.module.js';
export * from './wallet.row.js';
export { AccountLimitSettings, LEVELS } from './account-limit.settings.js';
