export { readAddress, type ChainAddress } from './address.js';
export * from './onchain-backend.js';
export { OnChainWallet } from './onchain-wallet.js';
export { OnChainModule } from './onchain.module.js';
export {
  DepositEntity,
  DepositModule,
  DepositService,
  DepositStore,
  OnChainAddressEntity,
  OnChainAddressService,
  type DepositBookOutcome,
  type DepositProgress,
  type ListedDeposit,
} from './receive/index.js';
export { OnChainSettings } from './onchain.settings.js';
export { ChainSimulator, MAX_MINED_BLOCKS, MAX_REORGANISED_BLOCKS } from './simulator/index.js';
export { readTransaction, REPLACEABLE } from './transaction.js';
