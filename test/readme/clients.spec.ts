import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { PROJECT } from '../support/server-process.js';

const text = readFileSync(join(PROJECT, 'docs/clients.md'), 'utf8');
const schema = buildSchema(readFileSync(join(PROJECT, 'schema.graphql'), 'utf8'));
const roots = { queries: schema.getQueryType(), mutations: schema.getMutationType(), subscriptions: schema.getSubscriptionType() };

const rowsOf = (heading: string): [name: string, cell: string][] => {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| ([^|`]+) \| (.*) \|$/gm)].map(([, name = '', cell = '']) => [name, cell]);
};
const namesIn = (cell: string): string[] => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name);

describe('docs/clients.md', () => {
  it.each(Object.keys(roots) as (keyof typeof roots)[])('lists all %s', (kind) => {
    const listed = Object.fromEntries(rowsOf('Supported operations'))[kind] ?? '';
    expect(namesIn(listed).sort()).toEqual(Object.keys(roots[kind]?.getFields() ?? {}).sort());
  });
});
