import type { CallRow } from '../../access/call/index.js';
import type { Application, ApplicationChange, ClientSecret } from '../../access/oauth/index.js';
import {
  badge,
  buttonLink,
  csrfField,
  day,
  empty,
  exact,
  facts,
  html,
  lastUse,
  notice,
  outsideText,
  scopeBadges,
  secret,
  table,
  untrustedText,
  who,
  type Html,
  type HtmlValue,
  type ScopeView,
  type ShellFrame,
} from '../../edge/page/index.js';
import { card, dashboardPage, questionPage } from '../layout.js';
import { paths } from '../paths.js';
import { refusalsCard } from './refusals.view.js';
import { YOUR_APPS } from './application-form.view.js';

const STATUSES: Readonly<Record<Application['status'], Html>> = {
  draft: badge('Draft'),
  waiting: badge('Waiting for approval', 'wait'),
  approved: badge('Approved', 'good'),
  refused: badge('Refused', 'bad'),
  suspended: badge('Suspended', 'bad'),
};

const FIELDS: Readonly<Record<ApplicationChange['field'], string>> = {
  name: 'Name',
  purpose: 'Purpose',
  homepage: 'Homepage',
  redirectUris: 'Callback URLs',
  scopes: 'Permissions',
  grantTypes: 'Grant types',
  confidential: 'Confidential',
  requirePkce: 'PKCE required',
};

const MAX_SHOWN = 500;
const lines = (values: readonly string[]): HtmlValue =>
  values.length === 0 ? 'None' : values.map((each, index) => html`${index > 0 && html`<br />`}${untrustedText(each, MAX_SHOWN)}`);

export const applicationsPage = (frame: ShellFrame, applications: readonly Application[]): Html => {
  const rows = applications.map(({ id, name, status, client }) => [
    who(name, html`<a href="${paths.application(id)}">${untrustedText(name)}</a>`),
    STATUSES[status],
    client ? html`<code>${client.id}</code>` : '–',
  ]);
  const list =
    rows.length > 0
      ? table({ caption: 'Your apps', columns: ['App', 'State', 'Client ID'], rows })
      : empty('No apps yet', 'Apps you build that ask people for access to their wallets will appear here.');
  const sub = 'Apps you build that ask people for access to their wallets.';
  const page = { title: 'Your apps', entry: 'developer', sub, action: buttonLink(paths.newApplication, 'Register an app') } as const;
  return dashboardPage(frame, page, html`<section class="card" aria-label="Apps">${list}</section>`);
};

export interface ApplicationModel {
  readonly frame: ShellFrame;
  readonly application: Application;
  readonly scopes: readonly ScopeView[];
  readonly secrets: readonly ClientSecret[];
  readonly testMode: boolean;
  readonly refusals: readonly CallRow[];
}

function message({ status, state, reason, client }: Application): Html | false {
  if (status === 'suspended')
    return notice(html`<p><b>The operator has suspended this app.</b> Its tokens and keys are refused.</p>`, 'bad');
  const works = client ? ' The approved version keeps working.' : '';
  if (reason !== null)
    return notice(
      html`<p><b>The operator refused it:</b> ${untrustedText(reason, MAX_SHOWN)}${works} Edit your app to ask again.</p>`,
      'bad',
    );
  if (state === 'waiting') return notice(`The operator decides about it.${works}`);
  return state === 'draft' && notice(`It isn’t submitted yet.${works}`);
}

const button = (action: string, text: string, frame: ShellFrame): Html =>
  html`<form method="post" action="${action}">${csrfField(frame.csrf)}<button class="quiet small">${text}</button></form>`;

function changesCard({ application }: ApplicationModel): Html | false {
  const { changes, client, state, id } = application;
  if (!client || changes.length === 0) return false;
  const rows = changes.map(({ field, before, after }) => [FIELDS[field], lines(before ?? []), lines(after)]);
  const list = table({ caption: 'Not approved yet', columns: ['What', 'Approved', 'Asked for'], rows });
  const sub = state === 'waiting' && html`Waits for the operator. <a href="${paths.editApplication(id)}">Edit</a>`;
  return card('Not approved yet', list, sub === false ? {} : { sub });
}

function pkce({ confidential, requirePkce }: Application): string {
  if (!confidential) return 'Required, because a public app has no secret';
  return requirePkce ? 'Required, as you chose' : 'Optional, because your app has a secret';
}

const detailsCard = ({ application, scopes }: ApplicationModel): Html =>
  card(
    'Details',
    facts([
      application.client && ['Client ID', html`<code>${application.client.id}</code>`],
      ['Purpose', application.purpose === null ? 'None' : untrustedText(application.purpose, MAX_SHOWN)],
      ['Homepage', application.homepage === null ? 'None' : untrustedText(application.homepage, MAX_SHOWN)],
      ['Callback URLs', lines(application.redirectUris)],
      ['May ask for', html`<span class="line">${scopeBadges(scopes)}</span>`],
      ['Grant types', lines(application.grantTypes)],
      ['Type', application.confidential ? 'Confidential' : 'Public'],
      ['PKCE', pkce(application)],
    ]),
  );

const ends = ({ expiresAt }: ClientSecret): HtmlValue => (expiresAt ? html`<br /><span class="sub">ends ${exact(expiresAt)}</span>` : null);

function secretsCard({ application: { id, client }, secrets, frame }: ApplicationModel): Html | false {
  if (!client?.confidential) return false;
  const rows = secrets.map((each) => [
    html`Created ${day(each.createdAt)}${ends(each)}`,
    lastUse(each.firstUsedAt, frame),
    lastUse(each.lastUsedAt, frame),
    buttonLink(paths.endApplicationSecret(id, each.id), 'End', 'quiet small'),
  ]);
  const list = rows.length > 0 && table({ caption: 'Secrets', columns: ['Secret', 'First used', 'Last used', ''], rows });
  const add = secrets.length < 2 && button(paths.applicationSecrets(id), 'Create secret', frame);
  return card('Secrets', html`${list}${add}`, { sub: 'Two can work at a time, so that you can replace one without an outage.' });
}

function testCard({ application: { id, status, state, testClientId }, testMode, frame }: ApplicationModel): Html | false {
  if (!testMode || state === 'approved' || status === 'suspended') return false;
  const sub = 'They work for your own account only, and end with the approval.';
  const current = testClientId !== null && html`<p>Test client ID: <code>${testClientId}</code></p>`;
  const label = testClientId === null ? 'Create test credentials' : 'Create a new test secret';
  return card('Test credentials', html`${current}${button(paths.testApplication(id), label, frame)}`, { sub });
}

export function applicationPage(model: ApplicationModel): Html {
  const { application, frame } = model;
  const { id, name, state, status } = application;
  const submit = (state === 'draft' || state === 'refused') && button(paths.submitApplication(id), 'Submit for approval', frame);
  const page = {
    title: html`${untrustedText(name)} ${STATUSES[status]}`,
    text: outsideText(name),
    entry: 'developer',
    back: YOUR_APPS,
    action: html`<div class="line">${buttonLink(paths.editApplication(id), 'Edit', 'quiet small')}${submit}</div>`,
  } as const;
  return dashboardPage(frame, page, [
    message(application),
    changesCard(model),
    detailsCard(model),
    secretsCard(model),
    testCard(model),
    refusalsCard(model.refusals, model.frame),
  ]);
}

export interface ShownCredentials {
  readonly clientId: string;
  readonly secret: string | null;
}

/** @param shown null: they were shown before */
export function credentialsPage(frame: ShellFrame, application: Application, shown: ShownCredentials | null): Html {
  const back = { href: paths.application(application.id), label: untrustedText(application.name) };
  const done = html`<p>${buttonLink(back.href, 'Done')}</p>`;
  if (!shown) {
    const text = html`<section class="card">
      <p>A secret is shown once. If you lost it, create another one and end the old one.</p>
      ${done}
    </section>`;
    return dashboardPage(frame, { title: 'This secret can’t be shown again', entry: 'developer', back }, text);
  }
  const test = shown.clientId !== application.id;
  const content = html`<section class="card">
    ${shown.secret !== null && notice(html`<p><b>Copy the secret now.</b> You won’t be able to see it again.</p>`)}
    <h2>Client ID</h2>
    ${secret('client-id', shown.clientId, 'the client ID')}
    ${
      shown.secret !== null &&
      html`<h2>Client secret</h2>
        ${secret('client-secret', shown.secret, 'the secret')}`
    }
    ${test && html`<p>They work for your own account only, and end with the approval.</p>`} ${done}
  </section>`;
  return dashboardPage(frame, { title: test ? 'Test credentials' : 'Credentials of your app', entry: 'developer', back }, content);
}

export function endSecretPage(frame: ShellFrame, application: Application, { id, lastUsedAt }: ClientSecret): Html {
  const question = {
    title: 'End this secret?',
    text: 'End this secret',
    entry: 'developer',
    action: paths.endApplicationSecret(application.id, id),
    button: 'End secret',
    cancel: paths.application(application.id),
  } as const;
  const what = html`<p>
    What uses it can’t get tokens any more. Tokens that it has keep working. Last used: ${lastUse(lastUsedAt, frame)}
  </p>`;
  return questionPage(frame, question, what);
}
