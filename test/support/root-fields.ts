import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, type GraphQLObjectType, type GraphQLSchema } from 'graphql';

export const SDL = readFileSync(join(__dirname, '../../schema.graphql'), 'utf8');

/** What a description says of the credential that a field requires; one statement a field. */
const STATEMENTS: readonly [RegExp, (found: RegExpExecArray) => string][] = [
  [/Scope: ((?:`\w+`(?: or )?)+)\./, ([, scopes = '']) => `scopes ${[...scopes.matchAll(/\w+(?=`)/g)].sort().join(' ')}`],
  [/No credential required/, () => 'public'],
  [/Any valid credential suffices/, () => 'any credential'],
  [/Requires a session\b.*trusts with keys/, () => 'session or trusted app'],
  [/Requires a session: API keys and apps get `NOT_AUTHORIZED`/, () => 'session'],
];

export function statementOf(description: string): string {
  const text = description.replace(/\s+/g, ' ');
  const found = STATEMENTS.flatMap(([pattern, read]) => {
    const match = pattern.exec(text);
    return match ? [read(match)] : [];
  });
  return found.join(' and ') || 'nothing';
}

export const rootsOf = (schema: GraphQLSchema): GraphQLObjectType[] =>
  [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter((type) => type != null);

/** What the SDL says of each root field, for example `Query.me`. */
export const described = (schema: GraphQLSchema = buildSchema(SDL)): Record<string, string> =>
  Object.fromEntries(
    rootsOf(schema).flatMap((root) =>
      Object.values(root.getFields()).map(({ name, description }) => [`${root.name}.${name}`, statementOf(description ?? '')]),
    ),
  );
