export { DepositEntity, OnChainAddressEntity } from './deposit.entity.js';
export { DepositModule } from './deposit.module.js';
export { DepositService, type DepositProgress } from './deposit.service.js';
export { DepositStore, type DepositBookOutcome, type ListedDeposit } from './deposit.store.js';
export { OnChainAddressService } from './onchain-address.service.js';
