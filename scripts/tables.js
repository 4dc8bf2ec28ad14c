// `npm run docs` writes the tables and the reference that documents take from the code, between `<!-- generated: name -->` and `<!-- end -->`; `--check`
// writes nothing and fails when a table differs. It also writes the forms of the operator's commands.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, isBuilt } from './build.js';
import { referenceOf } from './api-reference.js';
import { ERROR_HANDLING } from './error-handling.js';
import { projectRoot, readText } from './project.js';

const DOCUMENTS = ['variables', 'log-events', 'error-codes', 'operations']
  .map((page) => `docs/reference/${page}.md`)
  .concat('docs/frozen-texts.md');
const FORMS = 'src/cli/commands.json';
const BLOCK = /(<!-- generated: (.+) -->\n)[^]*?(?=<!-- end -->)/g;

const rowOf = (cells) => `| ${cells.join(' | ')} |`;
const tableOf = (head, rows) => [rowOf(head), `|${'---|'.repeat(head.length)}`, ...rows.map(rowOf)];

const shownDefault = (value) => {
  if (value === undefined || value === '') return 'none';
  return `\`${typeof value === 'boolean' ? Number(value) : value}\``;
};

/** The lines of each table, by its name. */
async function tablesOf(root) {
  const load = (path) => import(pathToFileURL(join(root, 'dist/src', path)).href);
  const { Environment, variablesIn } = await load('platform/config/index.js');
  const { SETTINGS } = await load('app/settings.js');
  const { ERROR_CODES } = await load('edge/graphql/error-codes.js');
  const { REFUSALS } = await load('money/payment/payment.refusals.js');
  const { LOG_EVENTS } = await load('platform/logging/index.js');
  const documented = new Set();
  const sections = [Environment, ...Object.values(SETTINGS)].flatMap((type) => {
    const variables = variablesIn(type).filter(({ name }) => !documented.has(name) && documented.add(name));
    const rows = variables.map(({ name, meaning, production }) => [`\`${name}\``, shownDefault(production), meaning]);
    // A class may have nothing but constants.
    return rows.length === 0 ? [] : [[`variables, ${type.title}`, tableOf(['variable', 'default', 'meaning'], rows)]];
  });
  const codesOf = new Map();
  for (const code of Object.keys(ERROR_CODES)) {
    const handling = ERROR_HANDLING[code];
    if (handling === undefined) throw new Error(`scripts/error-handling.js lacks ${code}`);
    codesOf.set(handling, [...(codesOf.get(handling) ?? []), code]);
  }
  // Codes with one meaning share a row.
  const rows = [...codesOf].map(([{ meaning, where, status, action }, codes]) => {
    const kept = ERROR_CODES[codes[0]] === 'kept' ? 'yes' : 'no';
    return [codes.map((code) => `\`${code}\``).join(', '), meaning, where, status, kept, action];
  });
  const events = Object.entries(LOG_EVENTS)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([event, { level, meaning, action }]) => [`\`${event}\``, level, meaning, action === '' ? '–' : action]);
  const refusals = Object.values(REFUSALS).map(({ text, code, argument }) => [text, `\`${code}\``, argument ? `\`${argument}\`` : '–']);
  const distinct = [...new Map(refusals.map((row) => [row.join(), row])).values()];
  return new Map([
    ...sections,
    ['error codes', tableOf(['code', 'meaning', 'where', 'HTTP', 'kept', 'what to do'], rows)],
    ['refusals of payments', tableOf(['text', 'code', 'argument'], distinct)],
    ['operations', referenceOf(root)],
    ['log events', tableOf(['event', 'level', 'meaning', 'what to do'], events)],
  ]);
}

/** The forms of the operator's commands. */
async function formsOf(root) {
  const { COMMANDS } = await import(pathToFileURL(join(root, 'dist/src/operator/act/commands.js')).href);
  const forms = COMMANDS.map(({ name, summary, arguments: positionals, requiredOptions, options, details }) => {
    return { name, summary, arguments: positionals, requiredOptions, options, details };
  });
  const { format } = await import('prettier');
  return format(JSON.stringify(forms), { parser: 'json', printWidth: 140 });
}

async function main() {
  const check = process.argv.includes('--check');
  // This process loads the modules themselves.
  if (!isBuilt()) await build({ bundles: false });
  const tables = await tablesOf(projectRoot);
  const missing = new Set(tables.keys());
  const forms = await formsOf(projectRoot);
  const stale = [...DOCUMENTS, FORMS].filter((path) => {
    const text = readText(projectRoot, path);
    const current =
      path === FORMS
        ? forms
        : text.replace(BLOCK, (_, marker, name) => {
            if (!missing.delete(name)) throw new Error(`${path} has a table "${name}" that the code does not have, or has it twice`);
            return `${marker}\n${tables.get(name).join('\n')}\n\n`;
          });
    if (current !== text && !check) writeFileSync(join(projectRoot, path), current);
    return current !== text;
  });
  if (missing.size > 0) throw new Error(`No document has the table "${[...missing][0]}"`);
  for (const path of stale)
    console.log(check ? `${path} differs from the code. Run \`npm run docs\` and commit the result.` : `wrote ${path}`);
  if (check && stale.length === 0) console.log(`docs: ${tables.size} tables agree with the code`);
  process.exitCode = check && stale.length > 0 ? 1 : 0;
}

main().catch((error) => {
  console.error(`docs: ${error.message}`);
  process.exitCode = 1;
});
