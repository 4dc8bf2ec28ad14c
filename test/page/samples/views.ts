export * from '../../../src/dashboard/account/account.view.js';
export * from '../../../src/dashboard/account/deletion.view.js';
export * from '../../../src/dashboard/activity/activity.view.js';
export * from '../../../src/dashboard/apps/app.view.js';
export { appsPage } from '../../../src/dashboard/apps/app.view.js';
export * from '../../../src/dashboard/convert/convert.view.js';
export * from '../../../src/dashboard/history/history.view.js';
export * from '../../../src/dashboard/history/transaction.view.js';
export { keyCreatedPage, keyShownPage } from '../../../src/dashboard/keys/key-new.view.js';
export * from '../../../src/dashboard/limits/limits.view.js';
export * from '../../../src/dashboard/keys/key-new.view.js';
export * from '../../../src/dashboard/keys/key.view.js';
export * from '../../../src/dashboard/pause/pause.view.js';
export { presentAsk } from '../../../src/dashboard/limits/ask-form.js';
export { presentForm } from '../../../src/dashboard/limits/limits-form.js';
export { keysPage } from '../../../src/dashboard/keys/key.view.js';
export * from '../../../src/dashboard/receive/address.view.js';
export * from '../../../src/dashboard/receive/invoice.view.js';
export * from '../../../src/dashboard/receive/receive.view.js';
export * from '../../../src/dashboard/send/send.view.js';
export * from '../../../src/dashboard/developer/application-form.view.js';
export * from '../../../src/dashboard/developer/application.view.js';
export * from '../../../src/dashboard/wallet/wallet.view.js';
export * from '../../../src/dashboard/webhooks/webhook.view.js';
export { responsePage } from '../../../src/access/oauth/request/response.view.js';
export { askLogoutPage } from '../../../src/access/oauth/logout/logout.view.js';
export { consentPage, type ConsentModel } from '../../../src/access/oauth/consent/consent.view.js';
export * from '../../../src/access/signin/company/company.view.js';
export { loginPage, type LoginModel } from '../../../src/access/signin/login/login.view.js';
export { logoutPage } from '../../../src/access/signin/logout/logout.controller.js';
export {
  errorsOf,
  passwordFault,
  registerPage,
  registrationClosedPage,
  type RegisterModel,
  type TypedRegistration,
} from '../../../src/access/signin/register/register.view.js';
export { passwordChangedPage, resetPage, type ResetModel } from '../../../src/access/signin/reset/reset.view.js';
export * from '../../../src/access/signin/login/code.view.js';
export * from '../../../src/access/signin/confirm/confirm.view.js';
export * from '../../../src/dashboard/security/security.view.js';
export * from '../../../src/dashboard/security/sessions.view.js';
export * from '../../../src/dashboard/security/passkeys.view.js';
export * from '../../../src/operator/console/console.view.js';
export { forgotPage, forgotSentPage } from '../../../src/access/signin/forgot/forgot.view.js';
export { passwordPage } from '../../../src/access/signin/password/password.view.js';
export { confirmEmailPage, emailPage, undoEmailPage, undoneEmailPage } from '../../../src/access/signin/email/email.view.js';
export { demoMailPage } from '../../../src/app/demo/demo-mail.view.js';
export { noticesPage } from '../../../src/dashboard/notice/notice.view.js';
