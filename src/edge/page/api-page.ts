import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Config } from '../../platform/config/index.js';
import { Log } from '../../platform/logging/index.js';
import { asksForApiPage, Hooks } from '../http/index.js';
import { type EditorFile, EditorFiles, ASSETS } from './assets.js';
import { field } from './field.js';
import type { Frame } from './frame.js';
import { attributes, html, type Html } from './html.js';
import { cardPage, toolPage } from './layout.js';
import { Pages } from './pages.js';
import { commandLine, facts, notice } from './part.js';

export interface ApiPageModel {
  readonly frame: Frame;
  readonly apiUrl: string;
  readonly websocketUrl: string;
  /** `null` if the operator has turned it off. */
  readonly editor: { readonly nonce: string; readonly files: readonly Pick<EditorFile, 'name' | 'href'>[] } | null;
}

const TITLE = 'GraphQL API';

const curl = (apiUrl: string): Html =>
  commandLine(`curl ${apiUrl}/graphql -H 'content-type: application/json' -d '{"query":"{ globals { network } }"}'`);

const about = ({ apiUrl, websocketUrl }: ApiPageModel): Html =>
  html`<div class="card">
    <h1>${TITLE}</h1>
    <p>
      This is the API of a Lightning wallet. Send queries and mutations as JSON, by POST to <code>${apiUrl}/graphql</code>. Subscriptions
      run over WebSocket (<code>graphql-transport-ws</code>) at <code>${websocketUrl}/graphql</code>.
    </p>
    <h2>How to authenticate</h2>
    <p>Send one of these headers with each request. On a WebSocket the same names are keys of the <code>connection_init</code> payload.</p>
    ${facts([
      ['X-API-KEY', html`An API key. <a href="/dashboard/keys">Create one in the dashboard</a>`],
      ['Oauth2-Token', html`The access token of a connected app; or <code>Authorization: Bearer</code> and this token`],
      [
        'Authorization',
        html`<code>Bearer</code> and a session token, which <code>POST /auth/login</code> returns for <code>email</code> and
          <code>password</code>`,
      ],
    ])}
    <h2>From a terminal</h2>
    <div class="secret"><code>${curl(apiUrl)}</code></div>
    <p class="sub">This query needs no credential. To read your own data, add <code>-H 'X-API-KEY: …'</code> with your key.</p>
    <p class="sub">
      The documentation describes <a href="/docs/api.md">credentials, scopes and payments</a> and
      <a href="/docs/reference/operations.md">every operation</a>. <a href="/dashboard">The dashboard</a> has your wallet, keys and
      webhooks.
    </p>
  </div>`;

const real = notice(html`<p><b>Operations here are live.</b> A payment that you send from this page moves real money.</p>`, 'bad');
const key = field({
  name: 'key',
  label: 'API key',
  hint: 'Sent as X-API-KEY with each operation. It is never stored: it is gone when you leave or reload this page.',
  type: 'password',
  autocomplete: 'off',
});

/** Hidden until its script has loaded the editor: without scripts no key is needed. */
const workbench = ({ banner }: Frame): Html =>
  html`<noscript><p>The editor needs JavaScript.</p></noscript>
    <section class="stack" id="workbench" aria-label="Editor" hidden>
      ${banner === null && real} ${key}
      <div id="editor"></div>
    </section>`;

function loads({ nonce, files }: NonNullable<ApiPageModel['editor']>): Html {
  const styles = [...files.filter(({ name }) => name.endsWith('.css')), ASSETS.editorStyle];
  const scripts = [...files.filter(({ name }) => name.endsWith('.js')), ASSETS.editorScript];
  return html`${styles.map(({ href }) => html`<link rel="stylesheet" href="${href}" />`)}
  ${scripts.map(({ href }) => html`<script ${attributes({ src: href, nonce, defer: true })}></script>`)}`;
}

export function apiPage(model: ApiPageModel): Html {
  const { frame, editor } = model;
  const text = about(model);
  if (editor === null) return cardPage(frame, { title: TITLE, body: text, wide: true });
  return toolPage(frame, { title: TITLE, body: html`${text} ${workbench(frame)}` }, loads(editor));
}

/** A hook, not a controller, because the route is Apollo's. */
@Injectable()
export class ApiPageHook {
  private readonly log = new Log('Pages');

  constructor(
    private readonly config: Config,
    private readonly pages: Pages,
    private readonly files: EditorFiles,
    hooks: Hooks,
  ) {
    hooks.add('apiPage', (fastify) => {
      fastify.addHook('onRequest', (request, reply, done) => {
        if (!asksForApiPage(request)) return done();
        void this.editor().then((editorFiles) => this.send(reply, editorFiles));
      });
    });
  }

  private send(reply: FastifyReply, files: readonly EditorFile[] | null): void {
    const nonce = this.pages.nonce();
    const model = {
      frame: this.pages.frame(),
      apiUrl: this.config.apiUrl,
      websocketUrl: this.config.websocketUrl,
      editor: files && { nonce, files },
    };
    this.pages.send(reply, files ? { kind: 'editor', nonce } : { kind: 'gate' }, apiPage(model));
  }

  /** If its files cannot be read, the page appears without the editor. */
  private async editor(): Promise<readonly EditorFile[] | null> {
    try {
      return await this.files.all();
    } catch (error) {
      this.log.error('page_editor_missing', {}, 'Files of GraphiQL cannot be read; the page at /graphql has no editor', error);
      return null;
    }
  }
}
