/** Every row that can stand for an interface or union says which type it is by `__typename`; our error rows are all of one type. */
const byName = { __resolveType: ({ __typename }: { __typename: string }): string => __typename };

export const typeResolvers = {
  Error: { __resolveType: (): string => 'GraphQLApplicationError' },
  Account: byName,
  Wallet: byName,
  Invoice: byName,
  InitiationVia: byName,
  SettlementVia: byName,
  UserUpdate: byName,
};
