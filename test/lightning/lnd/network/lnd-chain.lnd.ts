import { onChainBackendContract } from '../../../../src/testing/onchain-backend-contract.js';
import { openLndChain } from './chain-fixture.js';

describe('the wallet of a real LND node is an on-chain back end', () => {
  onChainBackendContract(openLndChain);
});
