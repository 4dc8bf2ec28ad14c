export { apiPage } from './api-page.js';
export { amountUpTo, readAmount, type AmountBound } from './amount-input.js';
export { ASSETS, FAVICON } from './assets.js';
export { Brand } from './brand.js';
export { BrandSettings } from './brand.settings.js';
export { BoundTo, Csrf, type CsrfBinding, type FormBinding, PageForm } from './csrf.js';
export { deviceName } from './device-name.js';
export {
  clientErrorPage,
  type ClientFault,
  endedRequestPage,
  errorPage,
  statusOf,
  type EndedRequest,
  type ErrorKind,
  PageError,
} from './error-page.js';
export * from './field.js';
export { Form, parseForm } from './form-body.js';
export { type Frame, type ShellFrame, checkMenu, type MenuEntry } from './frame.js';
export { securityHeaders, type PageKind } from './headers.js';
export { attributes, html, Html, raw, type HtmlValue } from './html.js';
export { cardPage, shellPage, type PageContent } from './layout.js';
export * from './money.js';
export { NAME_LENGTH, untrustedText, outsideText } from './untrusted-text.js';
export { PageController, SignInRedirect } from './page.filter.js';
export { PageModule } from './page.module.js';
export { PageRenderer, seeOther, Pages, type Draw } from './pages.js';
export * from './part.js';
export { passkeyForm, type PasskeyAsked } from './passkey-form.js';
export { moneyLast, scopeBadges, scopeBox, scopeLine, shortName, visible, type ScopeView } from './scope.js';
export { qr } from './qr.js';
export { AnswerInterceptor, PersonPages, Reply, type Answer, type Redirect, type Screen } from './screen.js';
export * from './time.js';
