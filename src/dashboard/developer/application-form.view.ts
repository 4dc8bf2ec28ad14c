import type { ScopeDefinition } from '../../edge/auth/index.js';
import { hasOffline, PURPOSE_LENGTH, type Application, type ApplicationFault } from '../../access/oauth/index.js';
import {
  attributes,
  buttonLink,
  choice,
  csrfField,
  field,
  html,
  moneyLast,
  noDefaultButton,
  scopeBox,
  untrustedText,
  type Form,
  type FormProblem,
  type Html,
  type ShellFrame,
} from '../../edge/page/index.js';
import { dashboardPage } from '../layout.js';
import { paths } from '../paths.js';

export const YOUR_APPS = { href: paths.developer, label: 'Your apps' } as const;

export interface TypedApplication {
  readonly name: string;
  readonly purpose: string;
  readonly homepage: string;
  /** One a line. */
  readonly redirectUris: string;
  readonly scopes: readonly string[];
  readonly refresh: boolean;
  readonly confidential: boolean;
  readonly requirePkce: boolean;
}

export interface ApplicationFormModel {
  readonly frame: ShellFrame;
  /** Null: a new one. */
  readonly application: Pick<Application, 'id' | 'name' | 'client'> | null;
  readonly scopes: readonly ScopeDefinition[];
  readonly values: TypedApplication;
  readonly faults: readonly ApplicationFault[];
  readonly isFull?: boolean;
}

export const emptyApplication: TypedApplication = {
  name: '',
  purpose: '',
  homepage: '',
  redirectUris: '',
  scopes: ['read'],
  refresh: false,
  confidential: true,
  requirePkce: false,
};

export const typedIn = (form: Form): TypedApplication => ({
  name: form.text('name'),
  purpose: form.text('purpose'),
  homepage: form.text('homepage'),
  redirectUris: form.text('redirectUris'),
  scopes: form.list('scope'),
  refresh: form.text('grantTypes') !== '',
  confidential: form.text('confidential') !== 'public',
  requirePkce: form.text('requirePkce') !== '',
});

export const typedOf = (application: Application): TypedApplication => ({
  ...application,
  purpose: application.purpose ?? '',
  homepage: application.homepage ?? '',
  redirectUris: application.redirectUris.join('\n'),
  refresh: application.grantTypes.includes('refresh_token'),
});

const FIRST_BOX = 'scopes';

function box(name: string, checked: boolean, title: string, detail: string, error?: string): Html {
  const shape = attributes({ type: 'checkbox', id: name, name, value: 'yes', checked, 'aria-describedby': error && `${name}-error` });
  return html`<label class="scope"
      ><input ${shape} /><span><b>${title}</b><span class="sub">${detail}</span></span></label
    >
    ${error && html`<p class="error" id="${name}-error">${error}</p>`}`;
}

function scopeFields({ scopes, values }: ApplicationFormModel, error: string | undefined): Html {
  // One permission under two names.
  const boxes = moneyLast(scopes.filter(({ name }) => name !== 'offline_access')).map((scope, index) =>
    scopeBox({
      scope,
      title: scope.title,
      detail: html`<code>${scope.name}</code> · ${scope.consequence}`,
      checked: scope.name === 'offline' ? hasOffline(values.scopes) : values.scopes.includes(scope.name),
      id: index === 0 ? FIRST_BOX : undefined,
    }),
  );
  return html`<fieldset ${attributes({ 'aria-describedby': error && 'scopes-error' })}>
    <legend>Permissions</legend>
    <p class="hint">Ask for what your app needs: people see each of them.</p>
    ${boxes} ${error && html`<p class="error" id="scopes-error">${error}</p>`}
  </fieldset>`;
}

function typeField({ application, values }: ApplicationFormModel, error: string | undefined): Html {
  return choice({
    name: 'confidential',
    label: 'Type',
    hint: application?.client ? 'An approved app keeps its type' : 'Public: it runs on its users’ devices and can’t keep a secret',
    options: [
      { value: 'confidential', label: 'Confidential: it has a server' },
      { value: 'public', label: 'Public: native, or in the browser' },
    ],
    value: values.confidential ? 'confidential' : 'public',
    ...(error !== undefined && { error }),
  });
}

function textFields({ values }: ApplicationFormModel, errorOf: (name: string) => string | undefined): Html {
  const text = (name: 'name' | 'purpose' | 'homepage' | 'redirectUris', spec: { label: string; hint: string; rows?: number }): Html =>
    field({ name, value: values[name], error: errorOf(name) ?? null, ...spec });
  return html`${text('name', { label: 'Name', hint: 'As people know your app' })}
  ${text('purpose', {
    label: 'Purpose',
    hint: `What your app does for the people who are asked, in ${PURPOSE_LENGTH.min} to ${PURPOSE_LENGTH.max} characters. They read it before they decide`,
    rows: 4,
  })}
  ${text('homepage', { label: 'Homepage (optional)', hint: 'People see its domain' })}
  ${text('redirectUris', { label: 'Callback URLs', hint: 'One a line. https, or http on localhost. They are compared character by character', rows: 3 })}`;
}

export function applicationFormPage(model: ApplicationFormModel): Html {
  const { frame, application, values, faults, isFull } = model;
  const errorOf = (name: string): string | undefined => faults.filter((each) => each.field === name).map(({ text }) => text)[0];
  const full: FormProblem | false = isFull === true && { field: 'name', text: 'You have too many apps: change one that you don’t need' };
  const problems = [full, ...faults.map(({ field: target, text }): FormProblem => ({ field: target, text }))];
  const back = application ? { href: paths.application(application.id), label: untrustedText(application.name) } : YOUR_APPS;
  const content = html`<form class="card" method="post" action="${application ? paths.application(application.id) : paths.developer}">
    ${noDefaultButton}${csrfField(frame.csrf)} ${textFields(model, errorOf)} ${scopeFields(model, errorOf('scopes'))}
    ${box('grantTypes', values.refresh, 'Refresh tokens', 'Needed for offline access, which asks people to stay connected', errorOf('grantTypes'))}
    ${typeField(model, errorOf('confidential'))}
    ${box('requirePkce', values.requirePkce, 'Require PKCE', 'Refuses requests of your app without PKCE. A public app always needs it; for a confidential app it is optional')}
    <div class="line">
      <button name="act" value="submit">Submit for approval</button
      ><button class="quiet" name="act" value="draft">Save as draft</button>${buttonLink(back.href, 'Cancel', 'quiet')}
    </div>
    ${application?.client && html`<p class="sub">What you add or change waits for approval, and the approved version keeps working. What you remove is removed at once.</p>`}
  </form>`;
  const title = application ? 'Edit your app' : 'Register an app';
  return dashboardPage(frame, { title, entry: 'developer', back, problems }, content);
}
