/** Every row of an interface or union names its type in `__typename`; Sluice's error rows are all of one type. */
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
