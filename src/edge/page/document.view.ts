import { ASSETS } from './assets.js';
import type { Frame } from './frame.js';
import { html, type Html } from './html.js';
import { toolPage } from './layout.js';

export const INDEX = '/docs/README.md';

export interface Document {
  readonly title: string;
  readonly body: Html;
}

export function documentPage(frame: Frame, { title, body }: Document): Html {
  const style = html`<link rel="stylesheet" href="${ASSETS.documentStyle.href}" />`;
  const links = html`<p class="line">
    <a href="${INDEX}">Documentation</a> <a href="/graphql">API</a> <a href="/dashboard">Dashboard</a>
  </p>`;
  const content = html`${links}
    <article>${body}</article>`;
  return toolPage(frame, { title, body: content }, style);
}
