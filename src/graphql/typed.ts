/**
 * The bridge between the SDL and Nest's classes. Codegen types resolvers as `(parent, args, context, info)`; these types carry that over
 * to methods, rows and input classes, so that a change of the SDL does not compile until all three follow. Types only: nothing remains of
 * this file at run time. `R` is the map of all resolvers that codegen made: ours, or an extension's own.
 *
 * - A method of `Query`, `Mutation` or `Subscription` takes all arguments of its field as its **first** parameter (`@Args()`), whatever
 *   it likes after it, or, where `input` is the only argument, that one (`@Args('input')`).
 * - A method of any other type has the signature `(parent, args, context, info)`, with as few of them as it needs.
 */
import type { Resolvers } from '../generated/graphql.js';

type Callable = (...args: never[]) => unknown;
type MaybePromise<T> = T | Promise<T>;
type Root = 'Query' | 'Mutation' | 'Subscription';

/** The fields that the SDL gives type `T`. */
export type FieldOf<T extends keyof R, R = Resolvers> = Exclude<keyof NonNullable<R[T]>, '__isTypeOf' | '__resolveType'>;

/** The generated `(parent, args, context, info) => result` of a field; of a subscription, that of one event. */
type Signature<T extends keyof R, F extends FieldOf<T, R>, R> = SignatureOf<NonNullable<R[T]>[F]>;
type SignatureOf<Field> = [Extract<Field, { resolve: Callable }>] extends [never]
  ? Extract<Field, Callable>
  : Extract<Field, { resolve: Callable }>['resolve'];

/**
 * What field `F` of type `T` resolves to: rows where types have rows, otherwise what the SDL says. For a subscription, what one event
 * carries.
 */
export type Result<T extends keyof R, F extends FieldOf<T, R>, R = Resolvers> = Awaited<ReturnType<Signature<T, F, R>>>;

type Arguments<T extends keyof R, F extends FieldOf<T, R>, R> = Parameters<Signature<T, F, R>>[1];
/** Codegen's way to write "no arguments" has every key there is. */
type TakesArguments<A> = PropertyKey extends keyof A ? false : true;

/** An input as it arrives after coercion: every key that may be missing is there in the type, as `undefined`. */
type Arrived<T> = T extends Callable
  ? T
  : T extends readonly (infer Each)[]
    ? Arrived<Each>[]
    : T extends object
      ? { [K in keyof Required<T>]: Arrived<T[K]> }
      : T;

type RootMethod<A, Answer> =
  TakesArguments<A> extends false
    ? (...injected: never[]) => Answer
    : keyof A extends 'input'
      ? ((args: Arrived<A>, ...injected: never[]) => Answer) | ((input: Arrived<A[keyof A]>, ...injected: never[]) => Answer)
      : (args: Arrived<A>, ...injected: never[]) => Answer;

type Answer<T extends keyof R, F extends FieldOf<T, R>, R> = T extends 'Subscription'
  ? MaybePromise<AsyncIterable<Record<F, Result<T, F, R>>>>
  : MaybePromise<Result<T, F, R>>;

/**
 * The methods that resolve fields `F` of type `T`: `class PaymentResolver implements Implements<'Mutation', 'lnInvoicePaymentSend'>`.
 * A field that left the SDL, another result, another name or type of an argument: none of them compiles. A subscription's method answers
 * an async iterable of `{ [field]: event }`.
 */
export type Implements<T extends keyof R, F extends FieldOf<T, R>, R = Resolvers> = {
  [K in F]: T extends Root ? RootMethod<Arguments<T, K, R>, Answer<T, K, R>> : Signature<T, K, R>;
};

/**
 * What a class that validates input `T` declares: every key, also those that callers may leave out, as `memo!: string | null | undefined`.
 * Without it a class that forgot an optional key would pass for a `T`, and the key would reach nobody.
 */
export type Complete<T> = { [K in keyof Required<T>]: T[K] };

/**
 * The fields of `T` that nothing resolves: neither a method of `Methods` (an intersection of resolver classes) nor a property of the row
 * `Parent` with the right name and type. `never` when all is well; {@link Nothing} demands it. For the roots, `Parent` is `unknown`.
 */
export type Unresolved<T extends keyof R, Parent, Methods = unknown, R = Resolvers> = {
  [F in FieldOf<T, R>]: F extends keyof Methods
    ? Methods[F] extends Implements<T, F, R>[F]
      ? never
      : F
    : F extends keyof Parent
      ? TakesArguments<Arguments<T, F, R>> extends true
        ? F
        : Parent[F] extends Result<T, F, R>
          ? never
          : F
      : F;
}[FieldOf<T, R>];

/** Compiles for `never` only: the compiler's message names what is left over. */
export type Nothing<Left extends never> = Left;
