import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, isInterfaceType, isObjectType } from 'graphql';
import { PROJECT } from '../support/server-process.js';

const text = readFileSync(join(PROJECT, 'docs/clients.md'), 'utf8');
const schema = buildSchema(readFileSync(join(PROJECT, 'schema.graphql'), 'utf8'));
const roots = { queries: schema.getQueryType(), mutations: schema.getMutationType(), subscriptions: schema.getSubscriptionType() };

const rowsOf = (heading: string): [name: string, cell: string][] => {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| ([^|`]+) \| (.*) \|$/gm)].map(([, name = '', cell = '']) => [name, cell]);
};
const namesIn = (cell: string): string[] => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name);

const isThere = (name: string): boolean => {
  const [first = '', field] = name.split('.');
  if (field === undefined) return Object.values(roots).some((root) => root?.getFields()[first] !== undefined);
  const type = schema.getType(first);
  if (!isObjectType(type) && !isInterfaceType(type)) throw new Error(`There is no type ${first}`);
  return type.getFields()[field] !== undefined;
};

describe('docs/clients.md', () => {
  it.each(Object.keys(roots) as (keyof typeof roots)[])('lists all %s', (kind) => {
    const listed = Object.fromEntries(rowsOf('Supported operations'))[kind] ?? '';
    expect(namesIn(listed).sort()).toEqual(Object.keys(roots[kind]?.getFields() ?? {}).sort());
  });

  it('names as missing only what is missing', () => {
    const missing = rowsOf('Not supported yet').flatMap(([, cell]) => namesIn(cell));
    expect(missing.length).toBeGreaterThan(3);
    expect(missing.filter(isThere)).toEqual([]);
    expect(isThere('myUpdates') && isThere('User.email')).toBe(true);
  });
});
