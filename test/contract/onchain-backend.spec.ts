import { onChainBackendContract } from '../../src/testing/onchain-backend-contract.js';
import { simulatedWalletFixture } from '../onchain/chain-fixture.js';

describe('the simulated wallet is an on-chain back end', () => onChainBackendContract(() => simulatedWalletFixture()));
