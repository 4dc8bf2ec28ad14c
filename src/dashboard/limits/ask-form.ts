import { isAskAmount, limitTyped, MAX_LIMIT_SATS, type AskAbove } from '../../access/limit/index.js';
import { PageError, type Form } from '../../edge/page/index.js';

export const ASK_FIELDS = { paymentSats: 'ask-payment', daySats: 'ask-day' } as const;
export type AskField = keyof typeof ASK_FIELDS;

export interface AskForm {
  readonly values: Readonly<Record<AskField, string>>;
  readonly errors: Readonly<Partial<Record<AskField, string>>>;
  /** What the form says; null: it has errors. */
  readonly ask: AskAbove | null;
}

const RULE = `Enter 0 to ${MAX_LIMIT_SATS.toLocaleString('en')} sats, or nothing to be asked for none.`;
const textOf = (sats: number | null): string => sats?.toLocaleString('en') ?? '';

export const presentAsk = (ask: AskAbove): AskForm => ({
  values: { paymentSats: textOf(ask.paymentSats), daySats: textOf(ask.daySats) },
  errors: {},
  ask,
});

/** @throws PageError unless each field comes once: one that is absent must not end the asking */
export function askFormIn(form: Form): AskForm {
  if (Object.values(ASK_FIELDS).some((name) => form.list(name).length !== 1)) throw new PageError({ kind: 'error', error: 'request' });
  const values = { paymentSats: form.text(ASK_FIELDS.paymentSats).trim(), daySats: form.text(ASK_FIELDS.daySats).trim() };
  const typed = { paymentSats: amountIn(values.paymentSats), daySats: amountIn(values.daySats) };
  const errors = Object.fromEntries(Object.entries(typed).filter(([, sats]) => typeof sats === 'string')) as AskForm['errors'];
  return { values, errors, ask: Object.keys(errors).length === 0 ? (typed as AskAbove) : null };
}

function amountIn(text: string): number | null | string {
  const sats = limitTyped(text, RULE);
  return typeof sats === 'string' || isAskAmount(sats) ? sats : RULE;
}
