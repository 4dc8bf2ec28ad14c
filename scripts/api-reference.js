// The reference in docs/reference/operations.md: each root field of the SDL with its arguments, the credential that it needs, and an example. The examples
// are the operations of `sluice/client`; test/e2e/api-examples.spec.ts executes them and records their answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { buildSchema, executeSync, getNamedType, isInputObjectType, parse, print, validate, visit } from 'graphql';
import { getVariableValues } from 'graphql/execution/values.js';

const KINDS = ['query', 'mutation', 'subscription'];
const HEADINGS = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' };

/** What a description says of the credential, and how the tables say it; test/architecture/scope-words.spec.ts compares it with the code. */
const CREDENTIALS = [
  [/Scope: ((?:`\w+`(?: or )?)+)\./, ([, scopes]) => scopes],
  [/No credential required/, () => 'none'],
  [/Any valid credential suffices/, () => 'any credential'],
  [/Requires a session\b.*trusts with keys/, () => 'a session, or a trusted app with `write`'],
  [/Requires a session\b/, () => 'a session'],
];

const oneLine = (text = '') => text.trim().replace(/\s+/g, ' ');
const cell = (text) => oneLine(text).replaceAll('|', '\\|');
const code = (text) => `\`${text}\``;
const rowOf = (cells) => `| ${cells.join(' | ')} |`;
const fenced = (language, text) => ['```' + language, text, '```'];
const json = (value) => JSON.stringify(value, undefined, 2);

function fail(message) {
  throw new Error(message);
}

function credentialOf(name, description) {
  for (const [pattern, wordsOf] of CREDENTIALS) {
    const found = pattern.exec(oneLine(description));
    if (found) return wordsOf(found);
  }
  return fail(`The description of ${name} does not say which credential it requires`);
}

/** The operation with the fragments that it uses, as a document of its own. */
function withFragments(operation, fragments) {
  const used = new Set();
  const collect = (definition) =>
    visit(definition, {
      FragmentSpread({ name: { value } }) {
        if (used.has(value)) return;
        used.add(value);
        collect(fragments.get(value));
      },
    });
  collect(operation);
  return { kind: 'Document', definitions: [operation, ...[...fragments.values()].filter(({ name }) => used.has(name.value))] };
}

/** The operation of each root field, by kind and field. */
function operationsOf(schema, text) {
  const document = parse(text);
  const [fault] = validate(schema, document, undefined, { maxErrors: 1 }).filter(({ message }) => !/is never used/.test(message));
  if (fault) fail(`operations.graphql: ${fault.message}`);
  const fragments = new Map(
    document.definitions.filter(({ kind }) => kind === 'FragmentDefinition').map((each) => [each.name.value, each]),
  );
  const operations = new Map();
  for (const operation of document.definitions.filter(({ kind }) => kind === 'OperationDefinition')) {
    const [field, ...more] = operation.selectionSet.selections;
    const key = `${operation.operation} ${field.name.value}`;
    if (more.length > 0 || operations.has(key)) fail(`operations.graphql needs one operation for ${key}`);
    operations.set(key, withFragments(operation, fragments));
  }
  return operations;
}

/** @throws Error for variables and answers that the schema does not permit for the document, or that lack or add a field */
function checkExample(schema, document, { variables, answer }) {
  const [operation] = document.definitions;
  const name = operation.name.value;
  const { errors } = getVariableValues(schema, operation.variableDefinitions, variables);
  if (errors) fail(`examples.json, variables of ${name}: ${errors[0].message}`);
  const result = executeSync({
    schema,
    document,
    variableValues: variables,
    rootValue: answer.data,
    fieldResolver: (source, _args, _context, { path }) => source[path.key],
    typeResolver: (value, _context, _info, type) => value.__typename ?? schema.getPossibleTypes(type)[0].name,
  });
  if (result.errors) fail(`examples.json, answer of ${name}: ${result.errors[0].message}`);
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(result.data)), answer.data))
    fail(`examples.json, answer of ${name}: its fields are not those of the document`);
}

/** The arguments, and the fields of an input object, one a row. */
function argumentRows(args, prefix = '') {
  return args.flatMap((argument) => {
    const type = getNamedType(argument.type);
    const path = prefix + argument.name;
    if (isInputObjectType(type)) return argumentRows(Object.values(type.getFields()), `${path}.`);
    const initial = argument.astNode.defaultValue;
    return [[code(path), code(`${argument.type}${initial ? ` = ${print(initial)}` : ''}`), cell(argument.description)]];
  });
}

function sectionOf(kind, field, document, example) {
  const rows = argumentRows(field.args);
  const table = rows.length === 0 ? [] : ['| argument | type | meaning |', '|---|---|---|', ...rows.map(rowOf), ''];
  const deprecated = field.deprecationReason ? ['', `Deprecated: ${field.deprecationReason}`] : [];
  const returned = kind === 'subscription' ? 'Each event' : 'Result';
  return [
    `### ${HEADINGS[kind]} ${field.name}`,
    '',
    ...field.description.trim().split('\n'),
    ...deprecated,
    '',
    `Credential: ${credentialOf(field.name, field.description)}. ${returned}: ${code(field.type)}.`,
    '',
    ...table,
    ...fenced('graphql', print(document)),
    '',
    ...(Object.keys(example.variables).length > 0 ? [...fenced('json', json(example.variables)), ''] : []),
    kind === 'subscription' ? 'An event:' : 'The answer:',
    '',
    ...fenced('json', json(example.answer)),
    '',
  ];
}

const firstSentence = (description) => /^.*?[.:](?= |$)/.exec(oneLine(description))[0].replace(/:$/, '.');

function overviewOf(kind, fields) {
  const rows = fields.map(({ name, description }) =>
    rowOf([
      `[${code(name)}](#${kind}-${name.toLowerCase()})`,
      credentialOf(name, description),
      cell(firstSentence(description).replace(/ ?Scope:.*$/, '')),
    ]),
  );
  return [
    `## ${HEADINGS[kind] === 'Query' ? 'Queries' : `${HEADINGS[kind]}s`}`,
    '',
    '| operation | credential | |',
    '|---|---|---|',
    ...rows,
    '',
  ];
}

/**
 * The lines of the reference.
 * @throws Error for a root field without an example, an example without a root field, and an example that the schema does not permit
 */
export function referenceOf(root) {
  const read = (path) => readFileSync(join(root, path), 'utf8');
  const schema = buildSchema(read('schema.graphql'));
  const operations = operationsOf(schema, read('src/client/operations.graphql'));
  const examples = JSON.parse(read('src/client/examples.json'));
  const unused = new Set(Object.keys(examples));
  const lines = KINDS.flatMap((kind) => {
    const fields = Object.values(schema.getRootType(kind).getFields());
    const sections = fields.flatMap((field) => {
      const document = operations.get(`${kind} ${field.name}`) ?? fail(`operations.graphql has no operation for the ${kind} ${field.name}`);
      const name = document.definitions[0].name.value;
      const example = examples[name] ?? fail(`examples.json has no ${name}: run \`npm run generate\``);
      unused.delete(name);
      checkExample(schema, document, example);
      return sectionOf(kind, field, document, example);
    });
    return [...overviewOf(kind, fields), ...sections];
  });
  if (unused.size > 0) fail(`examples.json has ${[...unused][0]}, which operations.graphql does not have`);
  return lines.slice(0, -1);
}
