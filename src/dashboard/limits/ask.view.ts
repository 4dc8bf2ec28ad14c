import type { AskAbove } from '../../access/limit/index.js';
import {
  bitcoin,
  buttonLink,
  card,
  csrfField,
  facts,
  field,
  html,
  money,
  type FormProblem,
  type Html,
  type ShellFrame,
} from '../../edge/page/index.js';
import { msatOfSats } from '../../platform/kernel/money.js';
import { ASK_FIELDS, type AskField, type AskForm } from './ask-form.js';

const LABELS: Readonly<Record<AskField, string>> = { paymentSats: 'For one payment above', daySats: 'For payments beyond, in 24 hours' };
const FIELDS = Object.keys(ASK_FIELDS) as AskField[];

interface Asking {
  readonly kind: 'key' | 'app';
  readonly movesMoney: boolean;
  /** The address of the form; null: it has ended. */
  readonly form: string | null;
}

/** Above which amounts a payment waits for its owner. */
export function askCard({ kind, movesMoney, form }: Asking, ask: AskAbove): Html | null {
  if (!movesMoney) return null;
  const rows = FIELDS.map((name) => [LABELS[name], valueOf(ask[name])] as const);
  const change = form !== null && html`<p>${buttonLink(`${form}#ask`, 'Change', 'quiet')}</p>`;
  return card('Ask me', [facts(rows), change], {
    sub: `Above these amounts a payment of this ${kind} waits until you approve it, for an hour at most.`,
  });
}

const valueOf = (sats: number | null): Html | string => (sats === null ? 'Never' : money(bitcoin(msatOfSats(sats))));

export const askProblems = ({ errors }: AskForm): readonly (FormProblem | false)[] =>
  FIELDS.map((name) => errors[name] !== undefined && { field: ASK_FIELDS[name], text: `${LABELS[name]}: ${errors[name]}` });

const HINTS: Readonly<Record<AskField, string>> = {
  paymentSats: 'The fee counts. 0 asks for each payment.',
  daySats: 'What you approve counts in this sum too.',
};

export function askFormCard(
  { kind, askAction }: { readonly kind: 'key' | 'app'; readonly askAction: string },
  { frame, ask: { values, errors } }: { readonly frame: ShellFrame; readonly ask: AskForm },
): Html {
  const fields = FIELDS.map((name) =>
    field(
      {
        name: ASK_FIELDS[name],
        label: LABELS[name],
        hint: HINTS[name],
        error: errors[name] ?? null,
        value: values[name],
        autocomplete: 'off',
        inputmode: 'numeric',
      },
      html`<span class="sub">sats</span>`,
    ),
  );
  const form = html`<form class="stack" method="post" action="${askAction}">
    ${csrfField(frame.csrf)} ${fields}
    <button>Save</button>
  </form>`;
  const sub = `A payment of this ${kind} above these amounts waits until you approve it, and ends after an hour. Leave a field empty to be asked for none.`;
  return card('Ask me', form, { sub, id: 'ask' });
}
