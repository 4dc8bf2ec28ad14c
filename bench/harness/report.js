// The results of a run, as a table for the terminal and for bench/results.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { format, resolveConfig } from 'prettier';
import { costsOf } from './cost.js';
import { floorTool } from './floor.js';

const RESULTS = new URL('../results.md', import.meta.url);
const FINDINGS = new URL('../findings.md', import.meta.url);

const number = (value) => {
  if (value === null || Number.isNaN(value)) return 'not measured';
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
};

function targetOf({ atLeast, atMost, below, difference }, unit) {
  if (atLeast !== undefined) return `≥ ${atLeast}`;
  if (below !== undefined) return `< ${below} ${unit}`;
  return difference ? `≤ +${atMost} ${unit}` : `≤ ${atMost}`;
}

export function isReached({ atLeast = -Infinity, atMost = Infinity, below = Infinity }, verdict) {
  return verdict !== null && verdict >= atLeast && verdict <= atMost && verdict < below;
}

function costOf({ cpu, databaseCpu }, unit) {
  if (unit === 'µs CPU') return [];
  return [cpu ? `${number(cpu)} µs CPU` : [], databaseCpu ? `${number(databaseCpu)} µs PostgreSQL` : []].flat();
}

/** The columns of one row: title, ours, reference, ratio, target, reached. */
function columnsOf({ benchmark, result }) {
  const { title, reference, unit, target } = benchmark;
  const { ours, verdict, range } = result;
  const withCpu = (side) => [`${number(side.value)} ${unit}`, ...costOf(side, unit)].join(', ');
  const sign = target.difference ? '+' : '';
  const spread = range ? ` (${sign}${number(range[0])} to ${sign}${number(range[1])})` : '';
  return [
    title,
    withCpu(ours),
    result.reference ? `${reference}: ${withCpu(result.reference)}` : '-',
    result.reference ? `${sign}${number(verdict)}${spread}` : '-',
    targetOf(target, unit),
    isReached(target, verdict) ? 'yes' : '**no**',
  ];
}

/** One line for the terminal. */
export function lineOf(row) {
  const [title, ours, reference, ratio, target, reached] = columnsOf(row);
  const beside = result(reference) ? `\n    beside ${reference}\n    ratio ${ratio}` : '';
  return `${title}\n    ${ours}${beside}\n    target ${target}: ${reached.replaceAll('*', '')}`;
}

const result = (text) => text !== '-';

const tableOf = (lines) => {
  const [head, ...rest] = lines;
  return [head, head.map(() => '---'), ...rest].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};

const costColumns = ({ title, name, ratio, target }) => [title, name, ratio.toFixed(2), `≤ ${target}`, ratio <= target ? 'yes' : '**no**'];

/** Lines for the terminal: the CPU of the run's cases as ratios. */
export const costLines = (rows) =>
  costsOf(rows).map(({ title, name, ratio, target }) => `${title}: CPU of ${name} ${ratio.toFixed(2)}, target ≤ ${target}`);

function machine() {
  const [{ model } = { model: 'unknown' }] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `${cpus().length} x ${model.trim()}, ${memory} of memory, ${type()} ${release()}, Node ${process.version}`;
}

/** Writes bench/results.md: the table, the notes of the run, and bench/findings.md unchanged. */
export async function writeResults({ rows, notes, command, plan, load }) {
  const head = ['what', 'ours', 'reference', 'ratio', 'target', 'reached'];
  const table = tableOf([head, ...rows.map(columnsOf)]);
  const costs = tableOf([['what', 'CPU an operation', 'ratio', 'target', 'reached'], ...costsOf(rows).map(costColumns)]);
  const text = `# Results

Written by \`${command}\`; what follows the line below is kept in \`bench/findings.md\`.

- **machine:** ${machine()}; load before the run ${load}
- **date:** ${new Date().toISOString().slice(0, 10)}
- **method:** every case beside its reference in the same run, ${plan.warmUpMs / 1000} s of warm-up each, ${plan.rounds} rounds of ${plan.sliceMs / 1000} s each in turns; figures are
  medians, ratios are medians of the rounds' own ratios (smallest to largest in brackets). Callers and servers share the machine. "µs CPU" is what the
  measured Node process used an operation by the kernel's count, "µs PostgreSQL" what all of PostgreSQL did. The floor was called by ${floorTool()}.

${table}

${costs}

${notes.map((note) => `- ${note}`).join('\n')}

---

${readFileSync(FINDINGS, 'utf8')}`;
  writeFileSync(RESULTS, await format(text, { ...(await resolveConfig(RESULTS)), parser: 'markdown' }));
}
