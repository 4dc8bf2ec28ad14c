/**
 * The bridge between the SDL and Nest's classes. Codegen types resolvers as `(parent, args, context, info)`; these types apply that to
 * methods, rows and input classes, so that a change of the SDL does not compile until all three follow. Types only: this file has no
 * code at run time. `R` is codegen's map of all resolvers: the core's, or an extension's own.
 *
 * - A method of `Query`, `Mutation` or `Subscription` takes all arguments of its field as its **first** parameter (`@Args()`), or, where
 *   `input` is the only argument, that one (`@Args('input')`). Its other parameters are free.
 * - A method of any other type has the signature `(parent, args, context, info)`, with as few of them as it needs.
 */
import type { Resolvers } from '../../generated/graphql.js';

type Callable = (...args: never[]) => unknown;
type MaybePromise<T> = T | Promise<T>;
type Root = 'Query' | 'Mutation' | 'Subscription';

/** The fields that the SDL gives type `T`. */
export type FieldOf<T extends keyof R, R = Resolvers> = Exclude<keyof NonNullable<R[T]>, '__isTypeOf' | '__resolveType'>;

type Signature<T extends keyof R, F extends FieldOf<T, R>, R> = SignatureOf<NonNullable<R[T]>[F]>;
type SignatureOf<Field> = [Extract<Field, { resolve: Callable }>] extends [never]
  ? Extract<Field, Callable>
  : Extract<Field, { resolve: Callable }>['resolve'];

/** The result of field `F` of type `T`: rows where types have rows, else the SDL's type. For a subscription, the content of one event. */
export type Result<T extends keyof R, F extends FieldOf<T, R>, R = Resolvers> = Awaited<ReturnType<Signature<T, F, R>>>;

type FieldArgs<T extends keyof R, F extends FieldOf<T, R>, R> = Parameters<Signature<T, F, R>>[1];
/** Codegen's type for "no arguments" has every possible key. */
type TakesArguments<A> = PropertyKey extends keyof A ? false : true;

/** An input after coercion: every optional key is present in the type, as `undefined`. */
type Arrived<T> = T extends Callable
  ? T
  : T extends readonly (infer Each)[]
    ? Arrived<Each>[]
    : T extends object
      ? { [K in keyof Required<T>]: Arrived<T[K]> }
      : T;

type RootMethod<A, Returned> =
  TakesArguments<A> extends false
    ? (...injected: never[]) => Returned
    : keyof A extends 'input'
      ? ((args: Arrived<A>, ...injected: never[]) => Returned) | ((input: Arrived<A[keyof A]>, ...injected: never[]) => Returned)
      : (args: Arrived<A>, ...injected: never[]) => Returned;

type RootResult<T extends keyof R, F extends FieldOf<T, R>, R> = T extends 'Subscription'
  ? MaybePromise<AsyncIterable<Record<F, Result<T, F, R>>>>
  : MaybePromise<Result<T, F, R>>;

/**
 * The methods that resolve fields `F` of type `T`: `class PaymentResolver implements Implements<'Mutation', 'lnInvoicePaymentSend'>`.
 * A field that left the SDL, another result, another name or type of an argument: none of them compiles. A subscription's method returns
 * an async iterable of `{ [field]: event }`.
 */
export type Implements<T extends keyof R, F extends FieldOf<T, R>, R = Resolvers> = {
  [K in F]: T extends Root ? RootMethod<FieldArgs<T, K, R>, RootResult<T, K, R>> : Signature<T, K, R>;
};

/**
 * The properties of a class that validates input `T`: every key, also the optional ones, as `memo!: string | null | undefined`.
 * Without it a class that lacks an optional key would pass for a `T`, and validation would lose that key.
 */
export type Complete<T> = { [K in keyof Required<T>]: T[K] };

type Names<Given, Wanted> = Wanted extends readonly (infer Each)[]
  ? Given extends readonly (infer One)[]
    ? Names<NonNullable<One>, NonNullable<Each>>
    : false
  : Wanted extends object
    ? false extends {
        [K in keyof Wanted]-?: K extends keyof Given ? Names<NonNullable<Given[K]>, NonNullable<Wanted[K]>> : false;
      }[keyof Wanted]
      ? false
      : true
    : true;

type TakesNotice<T, A, Parameters extends readonly unknown[]> =
  TakesArguments<A> extends false
    ? true
    : T extends Root
      ? true extends Names<Parameters[0], A> | (keyof A extends 'input' ? Names<Parameters[0], A[keyof A]> : false)
        ? true
        : false
      : Names<Parameters[1], A>;

type KeyOfAny<Methods> = Methods extends unknown ? keyof Methods : never;

type ByMethod<T extends keyof R, Methods, R> = Methods extends unknown
  ? {
      [F in FieldOf<T, R> & keyof Methods]: Methods[F] extends Implements<T, F, R>[F] & Callable
        ? TakesNotice<T, FieldArgs<T, F, R>, Parameters<Methods[F]>> extends true
          ? F
          : never
        : never;
    }[FieldOf<T, R> & keyof Methods]
  : never;

type ByRow<T extends keyof R, Row, R> = {
  [F in FieldOf<T, R> & keyof Row]: TakesArguments<FieldArgs<T, F, R>> extends true ? never : Row[F] extends Result<T, F, R> ? F : never;
}[FieldOf<T, R> & keyof Row];

/**
 * The fields of `T` that have no resolver: neither a method of one of the classes in `Methods` (a union) nor, without such a method,
 * a property of `Row` with the right name and type. `never` when all are resolved; {@link Nothing} requires it. The roots have no row:
 * `unknown`.
 *
 * A method counts when its parameters name every argument and every key of every input. Codegen's types always do; a class that validates
 * some of the keys must name them all.
 */
export type Unresolved<T extends keyof R, Row, Methods = never, R = Resolvers> = Exclude<
  FieldOf<T, R>,
  ByMethod<T, Methods, R> | Exclude<ByRow<T, Row, R>, KeyOfAny<Methods>>
>;

/** Compiles for `never` only: the compiler's message names the unresolved fields. */
export type Nothing<Left extends never> = Left;
