import { Form } from '../../page/index.js';

/** What was typed is kept for 15 minutes, in a cookie of its own. */
export const KEPT = { name: 'sluice-form', seconds: 900 } as const;
/** Browsers keep a cookie of 4,096 bytes; encryption adds a third and a little. */
const MAX_KEPT = 2_700;

/** Fields of a form, for the person who filled it in. */
export interface KeptInput {
  readonly userId: string;
  readonly fields: readonly (readonly [string, readonly string[]])[];
}

/** @returns undefined for fields that are too long to keep */
export function keptInput(form: Form, fields: readonly string[], userId: string): KeptInput | undefined {
  if (form.hasNul) return undefined;
  const kept = { userId, fields: fields.map((name) => [name, form.list(name)] as const) };
  return Buffer.byteLength(JSON.stringify(kept)) > MAX_KEPT ? undefined : kept;
}

/** What was kept; null for another person. */
export function readKept<Kept extends KeptInput>(text: string | null, userId: string): Kept | null {
  const kept = text === null ? null : (JSON.parse(text) as Kept);
  return kept?.userId === userId ? kept : null;
}

export const formOf = ({ fields }: KeptInput): Form => new Form(new Map(fields));
