import type { SessionRow, UserRow } from '../user/index.js';

/** Who is looking at a page. */
export interface Visitor {
  readonly session: SessionRow;
  readonly user: UserRow;
  readonly token: string;
}
