import { InvalidInput } from '../../edge/graphql/index.js';
import type { AccountRow } from './wallet.row.js';

/**
 * The wallets that a list covers: the named ones, or all of the account.
 * @throws GraphQLError `INVALID_INPUT` for a wallet of another account
 */
export function walletIdsOf(account: AccountRow, asked: readonly (string | null)[] | null | undefined): readonly string[] {
  const own = account.wallets.map(({ id }) => id);
  const named = (asked ?? []).flatMap((id) => (id === null ? [] : [id.toLowerCase()]));
  if (named.some((id) => !own.includes(id))) throw InvalidInput.of('Invalid walletId for account.', 'INVALID_INPUT', ['walletIds']);
  return named.length > 0 ? named : own;
}

export const MAX_WALLETS = 2;

/** @throws RangeError for more wallets than an account has: a merged list would leave out the others */
export function distinctWallets(ids: readonly string[]): string[] {
  const distinct = [...new Set(ids)];
  if (distinct.length > MAX_WALLETS) throw new RangeError(`An account has ${MAX_WALLETS} wallets, not ${distinct.length}`);
  return distinct;
}
