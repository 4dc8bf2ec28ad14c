import { GraphQLError } from 'graphql';

/** A lack of permission: always a top-level error in GraphQL, 401 or 403 elsewhere. */
export class Refusal extends GraphQLError {}

/** One mistake that the caller can correct, as in a payload's `errors`. */
export interface Problem {
  readonly message: string;
  readonly code: string;
  /** Path in the arguments, for example `["input", "amount"]`. */
  readonly path: readonly string[] | null;
}

/** Invalid input: the payload's `errors` in a mutation, one top-level error elsewhere. */
export class InvalidInput extends Error {
  constructor(readonly problems: readonly [Problem, ...Problem[]]) {
    super(problems[0].message);
  }

  static of(message: string, code = 'INVALID_INPUT', path: readonly string[] | null = null): InvalidInput {
    return new InvalidInput([{ message, code, path }]);
  }

  toGraphQLError(): GraphQLError {
    const [{ message, code, path }] = this.problems;
    return new GraphQLError(message, { extensions: { code, ...(path && { argument: path }) } });
  }
}
