import type { Visitor } from '../../../edge/auth/index.js';
import { PageError } from '../../../edge/page/index.js';
import { FRESH_SECONDS } from '../../session/index.js';
import { paths, withReturnTo } from '../paths.js';

/**
 * For a handler that changes how people sign in, or acts as an operator: continues only if the person has proved who they are within this
 * time, with their factor or, without one, with the password.
 * @param to the page that the proof leads back to: a GET page, also for a form
 * @throws PageError that leads to the page which asks for the proof
 */
export function requireFreshFactor({ session: { factorAgeSeconds } }: Visitor, to: string): void {
  if (factorAgeSeconds !== null && factorAgeSeconds < FRESH_SECONDS) return;
  throw new PageError({ kind: 'redirect', to: withReturnTo(paths.confirm, { to }) });
}
