export * from '../../../src/dashboard/view/index.js';
export { consentPage, type ConsentModel } from '../../../src/oauth/consent/consent.view.js';
export { loginPage, type LoginModel } from '../../../src/signin/login/login.view.js';
export { logoutPage } from '../../../src/signin/logout/logout.view.js';
export { registerPage, type RegisterModel } from '../../../src/signin/register/register.view.js';
