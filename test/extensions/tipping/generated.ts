import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { TransactionRow, GqlContext } from '../../../src/index.js';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type MakeOptional<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]?: Maybe<T[SubKey]> };
export type MakeMaybe<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]: Maybe<T[SubKey]> };
export type MakeEmpty<T extends { [key: string]: unknown }, K extends keyof T> = { [_ in K]?: never };
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  SatAmount: { input: number; output: number; }
};

export type Query = {
  readonly __typename?: 'Query';
  /** The tips that the caller has received so far. */
  readonly tipsReceived: TipSummary;
};

export type Subscription = {
  readonly __typename?: 'Subscription';
  /** Each tip, as it arrives. */
  readonly tipReceived: Tip;
};

/** A tip that arrived. */
export type Tip = {
  readonly __typename?: 'Tip';
  /** What came with it. */
  readonly memo: Maybe<Scalars['String']['output']>;
  /** How much it was, in whole satoshis. */
  readonly sats: Scalars['SatAmount']['output'];
};

/** Tips, added up. */
export type TipSummary = {
  readonly __typename?: 'TipSummary';
  /** How many there are. */
  readonly count: Scalars['Int']['output'];
  /** What they come to, in whole satoshis. */
  readonly sats: Scalars['SatAmount']['output'];
};

export type Transaction = {
  readonly __typename?: 'Transaction';
  /** Was it a tip: received in bitcoin, with a memo that begins with the word tip? */
  readonly isTip: Scalars['Boolean']['output'];
};



export type ResolverTypeWrapper<T> = Promise<T> | T;

export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;





/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  SatAmount: ResolverTypeWrapper<Scalars['SatAmount']['output']>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Tip: ResolverTypeWrapper<Tip>;
  TipSummary: ResolverTypeWrapper<TipSummary>;
  Transaction: ResolverTypeWrapper<TransactionRow>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Boolean: Scalars['Boolean']['output'];
  Int: Scalars['Int']['output'];
  Query: Record<PropertyKey, never>;
  SatAmount: Scalars['SatAmount']['output'];
  String: Scalars['String']['output'];
  Subscription: Record<PropertyKey, never>;
  Tip: Tip;
  TipSummary: TipSummary;
  Transaction: TransactionRow;
};

export type QueryResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  tipsReceived: Resolver<ResolversTypes['TipSummary'], ParentType, ContextType>;
};

export interface SatAmountScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['SatAmount'], any> {
  name: 'SatAmount';
}

export type SubscriptionResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  tipReceived: SubscriptionResolver<ResolversTypes['Tip'], "tipReceived", ParentType, ContextType>;
};

export type TipResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Tip'] = ResolversParentTypes['Tip']> = {
  memo: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sats: Resolver<ResolversTypes['SatAmount'], ParentType, ContextType>;
};

export type TipSummaryResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['TipSummary'] = ResolversParentTypes['TipSummary']> = {
  count: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  sats: Resolver<ResolversTypes['SatAmount'], ParentType, ContextType>;
};

export type TransactionResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Transaction'] = ResolversParentTypes['Transaction']> = {
  isTip: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type Resolvers<ContextType = GqlContext> = {
  Query: QueryResolvers<ContextType>;
  SatAmount: GraphQLScalarType;
  Subscription: SubscriptionResolvers<ContextType>;
  Tip: TipResolvers<ContextType>;
  TipSummary: TipSummaryResolvers<ContextType>;
  Transaction: TransactionResolvers<ContextType>;
};

