import type { SessionRow, UserRow } from '../user/index.js';

/** The signed-in person who requests a page. */
export interface Visitor {
  readonly session: SessionRow;
  readonly user: UserRow;
  readonly token: string;
}
