export { activityList, type Activity, type ActivityState, type Actor } from './activity.view.js';
export { appGonePage, appPage, disconnectAppPage, REVOKE_KEYS, type AppModel, type AppView } from './app.view.js';
export { appsPage, type AppsModel } from './apps.view.js';
export { historyPage, type HistoryModel } from './history.view.js';
export { invoicePage, type InvoiceModel, type InvoiceState } from './invoice.view.js';
export { keyCreatedPage, keyShownPage, type KeyCreatedModel } from './key-created.view.js';
export { emptyKeyForm, EXPIRY_OPTIONS, keyNewPage, type KeyNewModel } from './key-new.view.js';
export {
  causeSentence,
  keyGonePage,
  keyPage,
  revokeKeyPage,
  type KeyModel,
  type KeyView,
  type Refusal,
  type RefusalCause,
} from './key.view.js';
export { keysPage, type KeysModel } from './keys.view.js';
export { paths } from './paths.js';
export { emptyReceiveForm, receivePage, type ReceiveForm, type ReceiveModel } from './receive.view.js';
export { transactionPage, type TransactionModel } from './transaction.view.js';
export { walletPage, type Balance, type WalletModel } from './wallet.view.js';
