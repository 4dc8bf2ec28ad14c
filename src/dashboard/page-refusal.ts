import type { ErrorKind, RequestEnding } from '../page/index.js';

/** Why a page is not shown as requested: a redirect, or an error page instead. */
export type RefusalReason =
  | { readonly kind: 'redirect'; readonly to: string; /** A cookie for the browser. */ readonly cookie?: string | undefined }
  | { readonly kind: 'error'; readonly error: ErrorKind; readonly retryAfterSeconds?: number }
  | {
      readonly kind: 'ended';
      readonly ending: RequestEnding;
      readonly client: { readonly name: string; readonly homepage: string | null } | null;
    }
  | { readonly kind: 'client' };

/** Thrown before a page is shown, handled by `PageFilter`. */
export class PageRefusal extends Error {
  constructor(readonly reason: RefusalReason) {
    super(reason.kind);
  }
}
