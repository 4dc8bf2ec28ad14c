export { apiPage, type ApiPageModel } from './api-page.js';
export { readAmount, type AmountReading, type AmountUnit } from './amount-input.js';
export { ASSETS, FAVICON, findAsset, type Asset } from './assets.js';
export { Csrf, type CsrfBinding } from './csrf.js';
export { BoundTo, PageForm, type FormBinding } from './csrf.guard.js';
export { ErrorPageRenderer } from './error-page-renderer.js';
export { clientErrorPage, endedRequestPage, errorKindOf, errorPage, statusOf, type ErrorKind, type RequestEnding } from './error-page.js';
export { alert, amountField, choice, csrfField, errorSummary, field, noDefaultButton, type FormProblem, type Option } from './field.js';
export { Form, parseForm } from './form-body.js';
export type { Frame, ShellFrame } from './frame.js';
export { securityHeaders, type PageKind } from './headers.js';
export { attributes, html, Html, raw, type HtmlValue } from './html.js';
export { cardPage, shellPage, type NavigationKey } from './layout.js';
export {
  about,
  aboutFirst,
  bitcoin,
  dollars,
  exactFeeText,
  feeText,
  money,
  moneyText,
  signedMoney,
  signedText,
  type Money,
} from './money.js';
export { checkMenu, type MenuEntry } from './menu.js';
export { isSameOrigin } from './origin.js';
export { NAME_LENGTH, untrustedText, outsideText } from './untrusted-text.js';
export { PageController } from './page-controller.js';
export { PageError, type PageRedirect } from './page-error.js';
export { PageModule } from './page.module.js';
export { LIVE_EVENTS_PATH, PageRenderer, seeOther } from './page-renderer.js';
export { Pages } from './pages.js';
export * from './part.js';
export { moneyLast, scopeBadges, scopeBox, scopeLine, shortName, visible, type ScopeBox, type ScopeView } from './scope.js';
export { SignInRedirect } from './sign-in-redirect.js';
export { qr } from './qr.js';
export { table, type Table } from './table.js';
export { clock, day, exact, inWords, moment, sinceWords, until, type PageTime } from './time.js';
