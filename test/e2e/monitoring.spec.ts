import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../src/cli/commands.js';
import { LOG_EVENTS } from '../../src/platform/logging/index.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { PROJECT } from '../support/server-process.js';

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const read = (name: string): string => readFileSync(join(PROJECT, 'docs/monitoring', name), 'utf8');
const rules = read('alerts.yaml');
const alerts = [...rules.matchAll(/^ {8}expr: (.+)$/gm)].map(([, expr = '']) => expr);
const panels = (JSON.parse(read('dashboard.json')) as { panels: readonly Panel[] }).panels.filter(({ type }) => type !== 'row');
const queries = [...alerts, ...panels.flatMap(({ targets = [] }) => targets.map(({ expr, legendFormat }) => `${expr} ${legendFormat}`))];

let app: TestApp;
let served: string;
/** The labels of a metric that has been served with some, else those in its definition. */
const labelsOf = (metric: string): string[] =>
  [...served.matchAll(new RegExp(`^${metric}\\{([^}]*)\\}`, 'gm'))].flatMap(([, all = '']) =>
    [...all.matchAll(/(\w+)="/g)].map(([, name = '']) => name),
  );

beforeAll(async () => {
  app = await createTestApp();
  served = await app.get(Metrics).text();
});
afterAll(() => app.close());

it('alerts and panels name metrics that the server has', () => {
  const real = new Set([...served.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name));
  const named = queries.flatMap((query) => [...query.matchAll(/sluice_\w+/g)].map(([name]) => name));
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((name) => !real.has(name))).toEqual([]);
});

it('alerts and panels name labels that the metrics have', () => {
  for (const query of queries) {
    const metrics = [...query.matchAll(/sluice_\w+/g)].map(([name]) => name);
    const real = new Set(metrics.flatMap(labelsOf));
    if (real.size === 0) continue; // no value yet: a counter of what has not happened
    const used = [...query.matchAll(/\{\{(\w+)\}\}|(\w+)(?:!?=~?)"/g)].map(([, legend, selector]) => legend ?? selector ?? '');
    expect({ query, unknown: used.filter((name) => !['instance', 'job'].includes(name) && !real.has(name)) }).toEqual({
      query,
      unknown: [],
    });
  }
});

it('alerts select values that exist', () => {
  for (const [, metric = '', label = '', value = ''] of alerts.join('\n').matchAll(/(sluice_\w+)\{(\w+)="([^"]+)"\}/g))
    if (labelsOf(metric).length > 0 && label !== 'status') expect(served).toContain(`${metric}{${label}="${value}"}`);
});

it('each alert says what it means and what to do, by commands and log events that exist', () => {
  expect([...rules.matchAll(/^ {10}(summary|action): .{10,}$/gm)]).toHaveLength(2 * alerts.length);
  const commands = [...rules.matchAll(/"sluice ([a-z]+(?: [a-z]+)?)/g)].map(([, name = '']) => name);
  const names = COMMANDS.map(({ name }) => name);
  expect(commands.filter((command) => !names.includes(command) && !names.includes(command.split(' ')[0] ?? ''))).toEqual([]);
  const events = [...rules.matchAll(/log events? (\w+)(?: and (\w+))?/g)].flatMap(([, ...found]) => found.filter(Boolean));
  expect(events.filter((event) => !(event in LOG_EVENTS))).toEqual([]);
});

it('no panel is without a description', () => {
  expect(panels.length).toBeGreaterThan(20);
  expect(JSON.stringify(panels.filter((panel) => !('description' in panel) || !panel.targets?.length))).toBe('[]');
});
