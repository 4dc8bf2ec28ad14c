/** For projects that build on Sluice: the application in a test, funded users and their browsers, and the contracts of a Lightning and of an on-chain back end. */
export { eventually } from './eventually.js';
export { dataOf, graphql, type CredentialHeaders, type GraphQLAnswer } from './graphql.js';
export { lightningBackendContract, type HeldInvoice, type LightningBackendFixture } from './lightning-backend-contract.js';
export { onChainBackendContract, type OnChainBackendFixture } from './onchain-backend-contract.js';
export { freePort } from '../platform/embedded-postgres/index.js';
export { createTestApp, type TestApp, type TestAppOptions } from './test-app.js';
export { TestBrowser, type FormFields, type TestPage } from './test-browser.js';
export { TestUser, type TestInvoice } from './test-user.js';
