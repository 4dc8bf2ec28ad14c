import type { QueryUsernameAvailableArgs } from '../generated/graphql.js';
import type { Complete } from '../graphql/index.js';

export class UsernameArgs implements Complete<QueryUsernameAvailableArgs> {
  username!: string;
}
