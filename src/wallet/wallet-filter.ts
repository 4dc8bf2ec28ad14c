import { InvalidInput } from '../graphql/index.js';
import type { AccountRow } from './wallet.row.js';

/**
 * The wallets a list is about: those that were named, or all of the account's.
 * @throws GraphQLError `INVALID_INPUT` for a wallet of somebody else
 */
export function walletIdsOf(account: AccountRow, asked: readonly (string | null)[] | null | undefined): readonly string[] {
  const own = account.wallets.map(({ id }) => id);
  const named = (asked ?? []).flatMap((id) => (id === null ? [] : [id.toLowerCase()]));
  if (named.some((id) => !own.includes(id)))
    throw InvalidInput.of('Invalid walletId for account.', 'INVALID_INPUT', ['walletIds']).toGraphQLError();
  return named.length > 0 ? named : own;
}
