import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, getNamedType, isAbstractType, isObjectType, type GraphQLObjectType, type GraphQLSchema } from 'graphql';
import ts from 'typescript';
import { described, rootsOf, SDL, statementOf } from '../support/root-fields.js';
import { filesBelow, ROOT } from './files.js';

type Fields = Record<string, string>;

const textsOf = (call: ts.CallExpression): string[] => call.arguments.filter(ts.isStringLiteralLike).map(({ text }) => text);

const RULES: Readonly<Record<string, (call: ts.CallExpression) => string>> = {
  Scopes: (call) => `scopes ${textsOf(call).sort().join(' ')}`,
  Public: () => 'public',
  // It applies Public() and the limits of invoices for others.
  ForOther: () => 'public',
  AnyCredential: () => 'any credential',
  SessionOnly: (call) => (/orTrustedApp: true/.test(call.getText()) ? 'session or trusted app' : 'session'),
};

/** The rules of the root fields that a resolver's source decorates. */
function decorated(source: string): Fields {
  const file = ts.createSourceFile('resolver.ts', source, ts.ScriptTarget.Latest, true);
  const fields: Fields = {};
  const visit = (node: ts.Node): void => {
    if (ts.isMethodDeclaration(node)) {
      const calls = (ts.getDecorators(node) ?? []).map(({ expression }) => expression).filter(ts.isCallExpression);
      const named = (name: string): ts.CallExpression | undefined => calls.find(({ expression }) => expression.getText() === name);
      const root = ['Query', 'Mutation', 'Subscription'].find(named);
      const rule = Object.keys(RULES).find(named);
      const call = named(rule ?? '');
      if (root) fields[`${root}.${node.name.getText()}`] = rule && call ? (RULES[rule]?.(call) ?? '') : 'no rule';
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return fields;
}

/** Nested fields that name another scope than the type that they lead to, or stand in, requires. */
function nestedFaults(schema: GraphQLSchema, needed: Fields): string[] {
  const scopes = new Map<string, string>();
  for (const [name, scope] of Object.entries(needed)) {
    const type = schema.getType(name);
    for (const { name: each } of isAbstractType(type) ? [type, ...schema.getPossibleTypes(type)] : [{ name }]) scopes.set(each, scope);
  }
  const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && !rootsOf(schema).includes(type));
  return (types as GraphQLObjectType[]).flatMap((type) =>
    Object.values(type.getFields()).flatMap((field) => {
      const scope = scopes.get(getNamedType(field.type).name) ?? scopes.get(type.name);
      const said = statementOf(field.description ?? '');
      return said === 'nothing' || said === `scopes ${scope}` ? [] : [`${type.name}.${field.name} says ${said}, and requires ${scope}`];
    }),
  );
}

const RESOLVERS = filesBelow('src')
  .filter((path) => path.endsWith('.resolver.ts'))
  .map((path) => readFileSync(join(ROOT, path), 'utf8'));
const [, PROTECTED = ''] = /PROTECTED_TYPES = \{(.*)\}/.exec(readFileSync(join(ROOT, 'src/app/app.module.ts'), 'utf8')) ?? [];
const NEEDED = Object.fromEntries([...PROTECTED.matchAll(/(\w+): '(\w+)'/g)].map(([, type = '', scope = '']) => [type, scope]));

describe('the scopes in the descriptions of the SDL', () => {
  it('are those of the decorators, for every root field', () => {
    const rules = Object.assign({}, ...RESOLVERS.map(decorated)) as Fields;
    expect(Object.keys(rules).length).toBeGreaterThan(15);
    expect(described(buildSchema(SDL))).toEqual(rules);
  });

  it('are those of the protected types, for nested fields', () => {
    expect(Object.keys(NEEDED).length).toBeGreaterThan(2);
    expect(nestedFaults(buildSchema(SDL), NEEDED)).toEqual([]);
  });

  it.each([
    ["@Query() @Scopes('write') me(): void {}", { 'Query.me': 'scopes write' }],
    ["@Mutation() @Scopes('write', 'receive') pay(): void {}", { 'Mutation.pay': 'scopes receive write' }],
    ['@Query() @Public() me(): void {}', { 'Query.me': 'public' }],
    ['@Query() @SessionOnly() me(): void {}', { 'Query.me': 'session' }],
    ['@Subscription() me(): void {}', { 'Subscription.me': 'no rule' }],
    ['@ResolveField() email(): void {}', {}],
  ])('are read from the source: %s', (method, fields) => {
    expect(decorated(`class Planted {\n${method}\n}`)).toEqual(fields);
  });

  it.each([
    ['Scope: `read`.', 'Scope: `write`.', 'scopes write'],
    [' Scope: `read`.', '', 'nothing'],
    ['Scope: `read`.', 'Scope: `read` or `write`.', 'scopes read write'],
    ['Scope: `read`.', 'No credential\n required.', 'public'],
    ['Scope: `read`.', 'Scope: `read`. No credential required.', 'scopes read and public'],
  ])('are read from the SDL: %s becomes %s', (from, to, said) => {
    const line = 'with account and wallets. Scope: `read`."\n  me: User';
    expect(SDL).toContain(line);
    const planted = SDL.replace(
      `"The user that the credential belongs to, ${line}`,
      () => `"""The user, ${line.replace(from, to).replace('"', '"""')}`,
    );
    expect(described(buildSchema(planted))['Query.me']).toBe(said);
  });

  it('finds a nested field that names another scope', () => {
    const planted = buildSchema(SDL.replace(/("The account that holds the user's wallets\. Scope: )`read`/, '$1`write`'));
    expect(nestedFaults(planted, NEEDED)).toEqual(['User.defaultAccount says scopes write, and requires read']);
  });
});
