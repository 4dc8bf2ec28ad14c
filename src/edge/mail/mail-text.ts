import { html, type Brand } from '../page/index.js';
import type { MailMessage } from './mail-transport.js';

/** A paragraph, or a link with its label. Text from outside passes `outsideText` first: it must not add lines. */
export type MailLine = string | { readonly label: string; readonly url: string };

/** What a message says; each file `*.mail.ts` has the text of one. The subject is a constant. */
export interface MailText {
  readonly subject: string;
  readonly lines: readonly MailLine[];
}

/** The brand and its support are the signature. */
export function messageOf(to: string, { subject, lines: said }: MailText, { name, support }: Brand): MailMessage {
  const lines = [...said, name, ...(support ? [{ label: 'Support', url: support.href }] : [])];
  const paragraphs = lines.map((line) =>
    typeof line === 'string' ? html`<p>${line}</p>` : html`<p><a href="${line.url}">${line.label}</a></p>`,
  );
  const text = lines.map((line) => (typeof line === 'string' ? line : `${line.label}:\n${line.url}`)).join('\n\n');
  return { to, subject, text: `${text}\n`, html: paragraphs.join('\n') };
}
