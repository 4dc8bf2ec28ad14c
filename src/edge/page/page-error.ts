import type { EndedRequest, ErrorKind } from './error-page.js';

export type PageErrorReason =
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'error'; readonly error: ErrorKind; readonly retryAfterSeconds?: number }
  | ({ readonly kind: 'ended' } & EndedRequest)
  | { readonly kind: 'client' };

/** Thrown before a page is shown, handled by `PageFilter`. */
export class PageError extends Error {
  constructor(readonly reason: PageErrorReason) {
    super(reason.kind);
  }
}
