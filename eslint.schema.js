// The rules of schema.graphql, beyond GraphQL's own. test/schema/schema-lint.spec.ts plants a breach of each.
import graphql from '@graphql-eslint/eslint-plugin';
import { join } from 'node:path';

/** The compatible API's exceptions: enums whose spelling it fixes, payloads without `errors`, one that always states its success, lists with nullable elements. */
const FOREIGN_SPELLING = '/^(Network|TxNotificationType)$/';
const WITHOUT_ERRORS = '(?!ApiKey(Create|Revoke|SetLimit)Payload$)';
const STATES_NO_SUCCESS = ':not([name.value=AccountDeletePayload])';
const NULLABLE_ELEMENTS =
  ':not(InputValueDefinition[name.value=walletIds] *):not(FieldDefinition[name.value=btcPriceList] *):not(ObjectTypeDefinition[name.value=/Error$/] *):not(InterfaceTypeDefinition[name.value=Error] *)';

const OPERATION = 'ObjectTypeDefinition[name.value=/^(Mutation|Subscription)$/] > FieldDefinition';
const PAYLOAD = `ObjectTypeDefinition[name.value=/^${WITHOUT_ERRORS}.*Payload$/]`;

/** Rules of ours that no plugin has, as selectors. */
const own = [
  [
    'StringValue.description[value!=/^[A-Z0-9`-].*\\s.*[.?)]$/s]',
    'A description is a sentence: from a capital, digit or name in code to a full stop, question mark or bracket.',
  ],
  [`ListType${NULLABLE_ELEMENTS} > :not(NonNullType).gqlType`, 'The elements of a list are non-null.'],
  [`${OPERATION} > :not(NonNullType).gqlType`, 'A mutation or subscription answers a non-null payload.'],
  [`${OPERATION} > NonNullType.gqlType > :not(NamedType[name.value=/Payload$/]).gqlType`, 'A mutation or subscription answers a payload.'],
  [`${OPERATION} > InputValueDefinition[name.value!=input]`, 'A mutation or subscription has one argument: input.'],
  [`${PAYLOAD}:not(:has(> FieldDefinition[name.value=errors]))`, 'A payload has errors: [Error!]!.'],
  [`${PAYLOAD} > FieldDefinition[name.value=errors] > :not(NonNullType).gqlType`, 'A payload has errors: [Error!]!.'],
  [
    `${PAYLOAD}${STATES_NO_SUCCESS} > FieldDefinition[name.value!=errors] > NonNullType.gqlType`,
    'With a non-null field a payload cannot carry errors alone.',
  ],
  ['ObjectTypeDefinition[name.value=/Edge$/] > FieldDefinition > :not(NonNullType).gqlType', 'The fields of an edge are non-null.'],
].map(([selector, message]) => ({ selector, message }));

export default [
  {
    files: ['**/schema.graphql'],
    plugins: { graphql },
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: join(import.meta.dirname, 'schema.graphql') } },
    },
    rules: {
      'graphql/naming-convention': [
        'error',
        {
          types: 'PascalCase',
          FieldDefinition: 'camelCase',
          InputValueDefinition: 'camelCase',
          [`EnumValueDefinition[parent.name.value!=${FOREIGN_SPELLING}]`]: 'UPPER_CASE',
          InputObjectTypeDefinition: { style: 'PascalCase', requiredPattern: /Input$/ },
          ObjectTypeDefinition: { style: 'PascalCase', forbiddenPatterns: [/Input$/] },
        },
      ],
      'graphql/no-hashtag-description': 'error',
      'graphql/no-unreachable-types': 'error',
      'graphql/relay-arguments': 'error',
      'graphql/relay-connection-types': 'error',
      'graphql/relay-edge-types': ['error', { shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false }],
      'graphql/relay-page-info': 'error',
      'graphql/require-deprecation-reason': 'error',
      'graphql/require-description': [
        'error',
        { types: true, FieldDefinition: true, InputValueDefinition: true, EnumValueDefinition: true, DirectiveDefinition: true },
      ],
      'no-restricted-syntax': ['error', ...own],
    },
  },
];
