/** Compiles only while every field that tipping.graphql adds is resolved, by name and by type. Nothing here runs. */
import type { FieldOf, Nothing, TransactionRow, Unresolved } from '../../../src/index.js';
import type { Resolvers } from './generated.js';
import type { Tip, TipSummary } from './tipping.service.js';
import type { TippingResolver } from './tipping.resolver.js';

/** `FieldOf<T>` without an `R` names the core's own fields, which are not ours to resolve. */
export interface Left {
  Query: Nothing<Exclude<Unresolved<'Query', unknown, TippingResolver, Resolvers>, FieldOf<'Query'>>>;
  Subscription: Nothing<Exclude<Unresolved<'Subscription', unknown, TippingResolver, Resolvers>, FieldOf<'Subscription'>>>;
  Transaction: Nothing<Exclude<Unresolved<'Transaction', TransactionRow, TippingResolver, Resolvers>, FieldOf<'Transaction'>>>;
  Tip: Nothing<Unresolved<'Tip', Tip, never, Resolvers>>;
  TipSummary: Nothing<Unresolved<'TipSummary', TipSummary, never, Resolvers>>;
}
