import * as pages from '../../../src/edge/page/index.js';
import type { RegistrationFault } from '../../../src/access/user/index.js';
import * as view from './views.js';
import { at, consent, csrf, dashboard, error, frame, gate, HOSTILE, NONCE, sample, scopes, shell, type Sample } from './sample.js';

const coffee: pages.AppHead = { name: 'Corner Coffee', verified: true, host: 'corner-coffee.example' };
const stranger: pages.AppHead = { name: 'Ledger Lines', verified: false, host: 'com.ledger-lines.app' };

const registerModel: view.RegisterModel = {
  frame,
  csrf,
  action: '/register',
  loginHref: '/login',
  values: { email: '', username: '', invitation: null },
  errors: {},
  retryAfterSeconds: null,
};
const filled = { email: 'alice.w@example.test', username: 'alice', invitation: null };
const invited = { ...filled, invitation: `sluice_in_${'0a1B2c3D'.repeat(6)}9` };

const faultsIn = (typed: Partial<view.TypedRegistration>, ...faults: readonly RegistrationFault[]): view.RegisterModel['errors'] =>
  view.errorsOf({ kind: 'invalid', faults }, { invitation: '', email: '', username: '', password: '', ...typed });
const newcomer = { ...filled, invitation: '', password: '' };
const uninvited = (invitation: string): view.RegisterModel['errors'] =>
  view.errorsOf({ kind: 'refused', code: 'INVITATION_INVALID' }, { ...filled, invitation, password: '' });

const register: readonly Sample[] = [
  sample('register', gate, view.registerPage(registerModel)),
  sample(
    'register-taken-and-short',
    gate,
    view.registerPage({
      ...registerModel,
      values: filled,
      errors: faultsIn(
        { username: 'alice', password: 'secret' },
        { field: 'username', proposals: ['alice_w', 'alice21'] },
        { field: 'password' },
      ),
    }),
    422,
  ),
  sample(
    'register-missing',
    gate,
    view.registerPage({
      ...registerModel,
      errors: faultsIn({}, { field: 'email' }, { field: 'username' }, { field: 'password' }),
    }),
    422,
  ),
  sample(
    'register-malformed',
    gate,
    view.registerPage({
      ...registerModel,
      values: { ...filled, email: 'alice', username: '1 alice' },
      errors: faultsIn(
        { email: 'alice', username: '1 alice', password: 'a'.repeat(300) },
        { field: 'email' },
        { field: 'username' },
        { field: 'password' },
      ),
    }),
    422,
  ),
  sample(
    'register-too-short',
    gate,
    view.registerPage({
      ...registerModel,
      values: { ...filled, username: 'ab' },
      errors: faultsIn({ username: 'ab' }, { field: 'username' }),
    }),
    422,
  ),
  sample(
    'register-too-long',
    gate,
    view.registerPage({
      ...registerModel,
      values: { ...filled, username: 'a'.repeat(51) },
      errors: faultsIn({ username: 'a'.repeat(51) }, { field: 'username' }),
    }),
    422,
  ),
  sample(
    'register-reserved-and-vetoed',
    gate,
    view.registerPage({
      ...registerModel,
      values: { ...filled, username: 'admin' },
      errors: {
        ...faultsIn({ username: 'admin' }, { field: 'username' }),
        ...view.errorsOf({ kind: 'vetoed', code: 'ELSEWHERE', message: 'Only people of this company register.' }, newcomer),
      },
    }),
    422,
  ),
  sample(
    'register-taken',
    gate,
    view.registerPage({
      ...registerModel,
      values: filled,
      errors: view.errorsOf({ kind: 'username_taken', proposals: ['alice21'] }, newcomer),
    }),
    422,
  ),
  sample('register-invited', gate, view.registerPage({ ...registerModel, values: { ...invited, email: '', username: '' } })),
  sample(
    'register-invitation-missing',
    gate,
    view.registerPage({ ...registerModel, values: { ...filled, invitation: '' }, errors: uninvited('') }),
    422,
  ),
  sample(
    'register-invitation-invalid',
    gate,
    view.registerPage({ ...registerModel, values: invited, errors: uninvited(invited.invitation) }),
    422,
  ),
  sample('register-closed', gate, view.registrationClosedPage({ frame: { ...frame, banner: null }, loginHref: '/login' }), 403),
  sample('register-slow', gate, view.registerPage({ ...registerModel, values: filled, retryAfterSeconds: 1_500 }), 429),
];

const loginModel: view.LoginModel = {
  frame,
  csrf,
  action: '/login',
  forgotHref: '/forgot-password',
  registerHref: '/register',
  app: null,
  email: '',
  refusal: null,
  arrival: null,
  passkey: { options: '{}', nonce: NONCE },
  company: null,
  passwordsWork: true,
};
const company = { name: 'Example SSO', href: '/login/company' };

const signIn = { kind: 'gate', nonce: NONCE } as const;
const login: readonly Sample[] = [
  sample('login', signIn, view.loginPage(loginModel)),
  sample('login-production', signIn, view.loginPage({ ...loginModel, frame: { ...frame, banner: null } })),
  sample('login-registration-closed', signIn, view.loginPage({ ...loginModel, frame: { ...frame, banner: null }, registerHref: null })),
  sample('login-simulated-money', signIn, view.loginPage({ ...loginModel, frame: { ...frame, banner: 'simulated' } })),
  sample('login-plain-http', signIn, view.loginPage({ ...loginModel, frame: { ...frame, banner: 'simulated', plainHttp: true } })),
  sample('login-company', signIn, view.loginPage({ ...loginModel, company })),
  sample('login-company-alone', signIn, view.loginPage({ ...loginModel, company, passwordsWork: false, arrival: 'signed-out' })),
  ...Object.entries(view.REFUSALS).map(([reason, { status }]) => {
    const model = { frame, reason: reason as view.CompanyRefusal, message: null, again: company, passwordsWork: true };
    return sample(`login-company-${reason.replaceAll('_', '-')}`, gate, view.companyRefusedPage(model), status);
  }),
  sample('login-client', signIn, view.loginPage({ ...loginModel, app: coffee })),
  sample('login-client-unverified', signIn, view.loginPage({ ...loginModel, app: stranger })),
  sample(
    'login-wrong',
    signIn,
    view.loginPage({ ...loginModel, app: coffee, email: 'alice@example.test', refusal: { kind: 'wrong' } }),
    422,
  ),
  sample(
    'login-slow',
    signIn,
    view.loginPage({ ...loginModel, email: 'alice@example.test', refusal: { kind: 'slow', retryAfterSeconds: 215 } }),
    429,
  ),
  sample('login-passkey-refused', signIn, view.loginPage({ ...loginModel, refusal: { kind: 'passkey' } }), 422),
  sample('login-registered', signIn, view.loginPage({ ...loginModel, arrival: 'registered' })),
  sample('login-session-ended', signIn, view.loginPage({ ...loginModel, app: coffee, arrival: 'session-ended' })),
  sample('login-deleted', signIn, view.loginPage({ ...loginModel, arrival: 'deleted' })),
  sample('login-signed-out', signIn, view.loginPage({ ...loginModel, arrival: 'signed-out' })),
];

const resetModel: view.ResetModel = { frame, csrf, email: 'alice@example.test', token: 'sample', fault: null, ended: ['keys', 'apps'] };

const reset: readonly Sample[] = [
  sample('reset', gate, view.resetPage(resetModel)),
  sample('reset-too-short', gate, view.resetPage({ ...resetModel, fault: view.passwordFault('secret') }), 422),
  sample('reset-done', gate, view.passwordChangedPage(frame, [], ['keys', 'apps'])),
  sample('reset-done-keys', gate, view.passwordChangedPage(frame, ['Till', HOSTILE.bidi, HOSTILE.markup, HOSTILE.long], [])),
];

const consentModel: view.ConsentModel = {
  frame,
  csrf,
  challenge: 'sample',
  client: {
    ...coffee,
    id: 'sample',
    managesKeys: false,
    purpose: 'Sells coffee, and shows you what you spent on it.',
    homepage: 'https://corner-coffee.example/about',
    documentUrl: null,
    isOnThisMachine: false,
    isTest: false,
  },
  scopes: scopes('read', 'receive', 'write', 'offline', 'openid'),
  resources: [],
  budgets: [],
  username: 'alice',
  lastsUntil: at('2027-11-21T08:46:00Z'),
  asksAgainDays: 30,
  held: null,
  limits: undefined,
};
const native = { kind: 'consent', redirectUri: 'com.ledger-lines.app:/callback' } as const;

const response = view.responsePage({
  frame,
  nonce: NONCE,
  redirectUri: consent.redirectUri,
  parameters: { code: 'sluice_ac_sample', state: '"><b>state</b>' },
});
/** Its script leaves the page at once. */
const still = new pages.Html(response.toString().replace(/<script[^]*<\/script>/, ''));

const asked10k = { type: 'wallet_budget', currency: 'SAT', max_amount: 10_000, period: 'day' } as const;
const leaving = { frame, csrf, email: shell.email, client: null, redirectUri: null, sent: {} } as const;
const logouts: readonly Sample[] = [
  sample('logout-asked', gate, view.askLogoutPage(leaving)),
  sample(
    'logout-asked-by-app',
    consent,
    view.askLogoutPage({ ...leaving, client: { name: 'Corner Coffee' }, redirectUri: consent.redirectUri, sent: { state: '"><b>' } }),
  ),
  ...Object.entries(HOSTILE).map(([name, text]) =>
    sample(`logout-hostile-${name}`, gate, view.askLogoutPage({ ...leaving, client: { name: text }, email: text })),
  ),
];

const consents: readonly Sample[] = [
  sample('response', { ...consent, kind: 'response', nonce: NONCE }, still),
  sample('consent', consent, view.consentPage(consentModel)),
  sample(
    'consent-limited',
    consent,
    view.consentPage({ ...consentModel, limits: { daily: 50_000, weekly: null, monthly: 400_000, annual: 1_000_000 } }),
  ),
  sample(
    'consent-test',
    consent,
    view.consentPage({ ...consentModel, client: { ...consentModel.client, verified: false, isTest: true, purpose: HOSTILE.long } }),
  ),
  sample(
    'consent-unverified',
    native,
    view.consentPage({
      ...consentModel,
      client: { ...consentModel.client, ...stranger },
      scopes: scopes('read', 'offline'),
      asksAgainDays: null,
    }),
  ),
  sample(
    'consent-document',
    { kind: 'consent', redirectUri: 'http://127.0.0.1:51234/callback' },
    view.consentPage({
      ...consentModel,
      client: {
        ...consentModel.client,
        id: 'https://agent.example/app.json',
        name: 'Trip Planner (agent.example)',
        verified: false,
        host: '127.0.0.1:51234',
        purpose: null,
        homepage: null,
        documentUrl: 'https://agent.example/wallet/client-metadata.json',
        isOnThisMachine: true,
      },
      asksAgainDays: null,
    }),
  ),
  sample(
    'consent-services',
    consent,
    view.consentPage({ ...consentModel, resources: ['https://localhost:4000/graphql', 'https://points.example/api'] }),
  ),
  sample(
    'consent-read-only',
    consent,
    view.consentPage({ ...consentModel, scopes: scopes('read'), lastsUntil: null, asksAgainDays: null }),
  ),
  sample('consent-write-only', consent, view.consentPage({ ...consentModel, scopes: scopes('write', 'openid'), lastsUntil: null })),
  sample(
    'consent-openid-only',
    consent,
    view.consentPage({ ...consentModel, scopes: scopes('openid'), lastsUntil: null, asksAgainDays: null }),
  ),
  sample(
    'consent-limit-error',
    consent,
    view.consentPage({
      ...consentModel,
      typed: { scopes: ['read'], limits: { limit: 'all' }, window: 'weekly' },
      errors: { limits: { limit: 'Enter a number of sats, for example 1,000.' } },
    }),
    422,
  ),
  sample('consent-budget', consent, view.consentPage({ ...consentModel, budgets: [asked10k] })),
  sample(
    'consent-budgets-error',
    consent,
    view.consentPage({
      ...consentModel,
      budgets: [asked10k, { ...asked10k, max_amount: 200_000, period: 'month' }],
      limits: { daily: 5_000, weekly: null, monthly: null, annual: null },
      typed: { scopes: ['read'], limits: { limit: '9,000', 'limit-2': '300,000' }, window: '' },
      errors: { limits: { 'limit-2': 'Enter 1 to 200,000 sats: you can lower what the app asks for, not raise it.' } },
    }),
    422,
  ),
  sample(
    'consent-nothing-chosen',
    consent,
    view.consentPage({
      ...consentModel,
      typed: { scopes: [], limits: { limit: 'all' }, window: 'weekly' },
      errors: { choice: 'nothing', limits: { limit: 'Enter a number of sats, for example 1,000.' } },
    }),
    422,
  ),
  sample(
    'consent-keys-alone',
    consent,
    view.consentPage({
      ...consentModel,
      scopes: scopes('read', 'write'),
      client: { ...consentModel.client, managesKeys: true },
      typed: { scopes: ['read', 'keys'], limits: {}, window: 'daily' },
      errors: { choice: 'keys_alone' },
    }),
    422,
  ),
  sample(
    'consent-connected',
    consent,
    view.consentPage({
      ...consentModel,
      held: scopes('read', 'receive', 'write', 'offline', 'openid'),
      limits: { daily: 50_000, weekly: null, monthly: null, annual: null },
    }),
  ),
  sample('consent-connected-openid-only', consent, view.consentPage({ ...consentModel, held: scopes('openid') })),
  sample(
    'consent-manages-keys',
    consent,
    view.consentPage({ ...consentModel, scopes: scopes('read', 'write'), client: { ...consentModel.client, managesKeys: true } }),
  ),
  ...Object.entries(HOSTILE).map(([name, text]) =>
    sample(
      `consent-hostile-${name}`,
      consent,
      view.consentPage({ ...consentModel, client: { ...consentModel.client, ...stranger, name: text }, username: text }),
    ),
  ),
];

const errorKinds: readonly pages.ErrorKind[] = [
  'request',
  'form',
  'disabled',
  'missing',
  'link',
  'method',
  'size',
  'slow',
  'fault',
  'away',
];
const endings: readonly pages.EndedRequest['ending'][] = ['allowed', 'denied', 'expired', 'ended'];
const asked = { name: 'Corner Coffee', homepage: 'https://corner-coffee.example/' };
const errorModel = { frame, reference: 'R7QK-2M4D' };

const errors: readonly Sample[] = [
  ...errorKinds.map((kind) => {
    const retryAfterSeconds = kind === 'slow' ? 215 : kind === 'away' ? 10 : null;
    const reference = kind === 'missing' ? null : errorModel.reference;
    return sample(`error-${kind}`, error, pages.errorPage({ ...errorModel, reference, kind, retryAfterSeconds }), pages.statusOf(kind));
  }),
  sample(
    'error-missing-signed-in',
    dashboard,
    pages.errorPage({ frame: shell, reference: null, kind: 'missing', retryAfterSeconds: null }),
    404,
  ),
  sample('error-client', error, pages.clientErrorPage({ ...errorModel, cause: 'address' }), 400),
  sample('error-logout', error, pages.clientErrorPage({ ...errorModel, logout: 'client_id is not the app of id_token_hint' }), 400),
  sample('error-client-request', error, pages.clientErrorPage({ ...errorModel, cause: 'request' }), 400),
  sample('error-client-pending', error, pages.clientErrorPage({ ...errorModel, cause: 'pending' }), 400),
  sample(
    'error-client-test',
    error,
    pages.clientErrorPage({ ...errorModel, cause: 'test', switchTo: '/login?login_challenge=x&switch=1' }),
    400,
  ),
  ...endings.flatMap((ending) => [
    sample(`error-${ending}`, error, pages.endedRequestPage({ ...errorModel, reference: null, ending, client: asked }), 400),
    sample(
      `error-${ending}-no-homepage`,
      error,
      pages.endedRequestPage({ ...errorModel, ending, client: { ...asked, homepage: null } }),
      400,
    ),
  ]),
  sample(
    'error-denied-connected',
    error,
    pages.endedRequestPage({ ...errorModel, reference: null, ending: 'denied', client: asked, isConnected: true }),
    400,
  ),
  sample('error-ended-unknown', error, pages.endedRequestPage({ ...errorModel, ending: 'ended', client: null }), 400),
];

/** Pages before the dashboard. */
export const GATE_SAMPLES: readonly Sample[] = [...register, ...login, ...reset, ...logouts, ...consents, ...errors];
