import { CORE_SCOPES } from '../../../src/edge/auth/index.js';
import { DEFAULT_PROFILE, type Application, type ClientSecret } from '../../../src/access/oauth/index.js';
import { SAMPLE_SECRET } from './access.js';
import * as view from './views.js';
import { at, dashboard, HOSTILE, ID, sample, scopes, shell, type Sample } from './sample.js';

const draft: Application = {
  id: ID,
  ownerId: ID,
  ownerUsername: 'alice',
  ownerEmail: 'alice@example.test',
  name: 'Till Sync',
  purpose: 'Counts what you have sold at the till, and sends you a receipt.',
  homepage: 'https://till-sync.example/',
  redirectUris: ['https://till-sync.example/callback', 'http://localhost:3000/callback'],
  scopes: ['read', 'receive', 'offline', 'offline_access'],
  grantTypes: ['authorization_code', 'refresh_token'],
  confidential: true,
  requirePkce: false,
  state: 'draft',
  version: 1,
  reason: null,
  submittedAt: null,
  decidedAt: null,
  createdAt: at('2026-11-20T10:00:00Z'),
  updatedAt: at('2026-11-20T10:00:00Z'),
  client: null,
  testClientId: null,
  changes: [],
  status: 'draft',
};
const client = { ...draft, ...DEFAULT_PROFILE, verified: true, trusted: false, state: 'approved', testOf: null } as const;
const approved: Application = { ...draft, state: 'approved', status: 'approved', client };
const longest: Application = { ...approved, name: 'W'.repeat(64) };
const changed: Application = {
  ...approved,
  state: 'waiting',
  status: 'waiting',
  changes: [
    { field: 'name', before: ['Till Sync'], after: ['Till'] },
    { field: 'homepage', before: [], after: ['https://till.example/'] },
    { field: 'redirectUris', before: [...draft.redirectUris], after: [`https://till-sync.example/${'long-'.repeat(60)}`] },
  ],
};
const refused: Application = {
  ...draft,
  state: 'refused',
  status: 'refused',
  reason: 'Please say on your homepage who you are.',
  testClientId: `test_${ID}`,
};
const hostile = [HOSTILE.markup, HOSTILE.bidi, HOSTILE.long].map((text): Application => ({
  ...refused,
  name: text,
  purpose: text,
  reason: text,
  redirectUris: [`https://till.example/${text}`],
}));

const used: ClientSecret = {
  id: ID,
  createdAt: at('2026-10-01T10:00:00Z'),
  expiresAt: null,
  firstUsedAt: at('2026-10-01T10:05:00Z'),
  lastUsedAt: at('2026-11-21T08:30:00Z'),
};
const fresh: ClientSecret = { ...used, firstUsedAt: null, lastUsedAt: null, expiresAt: at('2026-11-22T08:00:00Z') };

const model = { frame: shell, scopes: scopes('read', 'receive', 'write', 'offline'), secrets: [], testMode: true, refusals: [] };
const one = { at: at('2026-11-21T08:30:00Z'), operation: '/oauth2/auth', cost: null, count: 1 } as const;
const refusals: view.ApplicationModel['refusals'] = [
  {
    ...one,
    outcome: 'redirect_uri',
    sent: 'https://till-sync.example/Callback',
    registered: 'https://till-sync.example/callback',
    count: 12,
  },
  { ...one, outcome: 'redirect_uri', sent: `https://${'long-'.repeat(50)}.example/`, registered: null },
  {
    ...one,
    operation: '/oauth2/token',
    outcome: 'verifier',
    sent: 'a code_verifier of 43 characters',
    registered: 'a code_challenge of another verifier',
  },
  { ...one, operation: 'lnInvoiceCreate', outcome: 'its own text', sent: null, registered: null },
];
const page = (name: string, application: Application, more: Partial<view.ApplicationModel> = {}): Sample =>
  sample(name, dashboard, view.applicationPage({ ...model, application, ...more }));

const form: view.ApplicationFormModel = { frame: shell, application: null, scopes: CORE_SCOPES, values: view.emptyApplication, faults: [] };
const wrong: view.ApplicationFormModel = {
  ...form,
  values: { ...view.emptyApplication, name: '', purpose: '\nshort', redirectUris: 'http://till.example/', scopes: ['write'] },
  faults: [
    { field: 'name', text: 'The name must have 1 to 100 characters.' },
    { field: 'purpose', text: 'The purpose must have 20 to 500 characters. It has 5.' },
    { field: 'homepage', text: 'The homepage must start with https:// or http://, and have no user name.' },
    { field: 'redirectUris', text: 'The callback URL "http://till.example/" must use https unless it is on this machine.' },
    { field: 'scopes', text: 'At least one scope is required.' },
    { field: 'grantTypes', text: 'The scope offline requires the grant type refresh_token.' },
    { field: 'confidential', text: 'The type of an approved app cannot change: apply for another app.' },
  ],
};

export const DEVELOPER_SAMPLES: readonly Sample[] = [
  sample('applications', dashboard, view.applicationsPage(shell, [draft, changed, approved, refused])),
  sample('applications-empty', dashboard, view.applicationsPage(shell, [])),
  sample('applications-hostile', dashboard, view.applicationsPage(shell, hostile)),
  page('application-draft', draft),
  page('application-draft-no-test', draft, { testMode: false }),
  page('application-waiting', { ...draft, state: 'waiting', status: 'waiting', testClientId: `test_${ID}` }),
  page('application-refused', refused),
  page('application-approved', approved),
  page('application-secrets', approved, { secrets: [used, fresh] }),
  page('application-changed', changed, { secrets: [used] }),
  page('application-suspended', { ...approved, status: 'suspended', client: { ...client, state: 'suspended' } }),
  page('application-refusals', approved, { refusals }),
  page('application-public', { ...approved, confidential: false, requirePkce: true, client: { ...client, confidential: false } }),
  ...hostile.map((application, index) => page(`application-hostile-${index}`, application)),
  sample('application-new', dashboard, view.applicationFormPage(form)),
  sample('application-edit', dashboard, view.applicationFormPage({ ...form, application: longest, values: view.typedOf(longest) })),
  sample('application-edit-error', dashboard, view.applicationFormPage(wrong), 422),
  sample('application-too-many', dashboard, view.applicationFormPage({ ...form, isFull: true }), 422),
  sample('application-credentials', dashboard, view.credentialsPage(shell, approved, { clientId: ID, secret: SAMPLE_SECRET })),
  sample('application-test-public', dashboard, view.credentialsPage(shell, draft, { clientId: `test_${ID}`, secret: null })),
  sample('application-credentials-shown', dashboard, view.credentialsPage(shell, approved, null)),
  sample('application-secret-end', dashboard, view.endSecretPage(shell, approved, used)),
];
