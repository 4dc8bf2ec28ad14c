import { GraphQLError } from 'graphql';

/** A refusal for lack of rights: always a top-level error in GraphQL, 401 or 403 elsewhere. */
export class Refusal extends GraphQLError {}

/** One thing that the caller can mend, as it stands in a payload's `errors`. */
export interface Problem {
  readonly message: string;
  readonly code: string;
  /** Where in the arguments, for example `["input", "amount"]`. */
  readonly path: readonly string[] | null;
}

/** Input that the caller can mend: the payload's `errors` in a mutation, one top-level error elsewhere. */
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
