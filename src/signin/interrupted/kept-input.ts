import { Form } from '../../page/index.js';

/** What was typed is kept for 15 minutes, in a cookie of its own. */
export const KEPT = { name: 'sluice-form', seconds: 900 } as const;
/** Browsers keep a cookie of 4,096 bytes; encryption adds a third and a little. */
const MAX_KEPT = 2_700;

interface Kept {
  readonly userId: string;
  readonly fields: readonly (readonly [string, readonly string[]])[];
}

/** These fields of a form, for the person who filled it in; undefined if they are too long to keep. */
export function keptInput(form: Form, fields: readonly string[], userId: string): string | undefined {
  if (form.hasNul) return undefined;
  const kept: Kept = { userId, fields: fields.map((name) => [name, form.list(name)]) };
  const text = JSON.stringify(kept);
  return Buffer.byteLength(text) > MAX_KEPT ? undefined : text;
}

/** The form with these fields; null for another person. */
export function formOf(kept: string, userId: string): Form | null {
  const { userId: author, fields } = JSON.parse(kept) as Kept;
  return author === userId ? new Form(new Map(fields)) : null;
}
