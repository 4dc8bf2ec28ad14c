import type { ErrorKind, RequestEnding } from '../page/index.js';

/** Why a page is not shown as asked: another page is, or one of the error pages. */
export type RefusalReason =
  | { readonly kind: 'redirect'; readonly to: string; /** What the browser keeps meanwhile. */ readonly cookie?: string | undefined }
  | { readonly kind: 'error'; readonly error: ErrorKind; readonly retryAfterSeconds?: number }
  | {
      readonly kind: 'ended';
      readonly ending: RequestEnding;
      readonly client: { readonly name: string; readonly homepage: string | null } | null;
    }
  | { readonly kind: 'client' };

/** Thrown by the doors of pages, answered by `PageFilter`. */
export class PageRefusal extends Error {
  constructor(readonly reason: RefusalReason) {
    super(reason.kind);
  }
}
