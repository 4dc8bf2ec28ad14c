export { apiPage } from './api-page.js';
export { amountUpTo, readAmount, type AmountBound } from './amount-input.js';
export { ASSETS, FAVICON } from './assets.js';
export { Csrf, type CsrfBinding, isSameOrigin } from './csrf.js';
export { BoundTo, PageForm, type FormBinding } from './csrf.guard.js';
export { clientErrorPage, endedRequestPage, errorPage, statusOf, type EndedRequest, type ErrorKind, PageError } from './error-page.js';
export {
  alert,
  amountField,
  choice,
  csrfField,
  errorSummary,
  field,
  noDefaultButton,
  type Amount,
  type FormProblem,
  type Option,
} from './field.js';
export { Form, parseForm } from './form-body.js';
export { type Frame, type ShellFrame, checkMenu, type MenuEntry } from './frame.js';
export { securityHeaders, type PageKind } from './headers.js';
export { attributes, html, Html, raw, type HtmlValue } from './html.js';
export { cardPage, shellPage } from './layout.js';
export {
  about,
  aboutFirst,
  bitcoin,
  displayMoney,
  dollars,
  exactFeeText,
  isZero,
  money,
  moneyAbout,
  moneyText,
  signedMoney,
  type Money,
  type Worth,
} from './money.js';
export { untrustedText, outsideText } from './untrusted-text.js';
export { PageController, SignInRedirect } from './page.filter.js';
export { PageModule } from './page.module.js';
export { PageRenderer, seeOther, Pages, type Draw, type RenderOptions } from './pages.js';
export * from './part.js';
export { moneyLast, scopeBadges, scopeBox, scopeLine, shortName, visible, type ScopeView } from './scope.js';
export { qr } from './qr.js';
export { clock, day, exact, inWords, moment, sinceWords, soon, until, type PageTime } from './time.js';
