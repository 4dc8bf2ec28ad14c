// `npm run codegen` generates the files of codegen.ts; `--check` writes nothing and fails when a file on disk differs by a byte.
// The check does not use git: it also works in a fresh clone, in a tarball and over uncommitted work.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generate, loadCodegenConfig } from '@graphql-codegen/cli';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Folders that hold only generated files. */
const OURS_ALONE = ['src/generated'];

/** How the file on disk differs from codegen's output; undefined when it does not. */
function difference({ filename, content }) {
  if (!existsSync(filename)) return 'is missing';
  const found = readFileSync(filename);
  if (found.equals(Buffer.from(content))) return undefined;
  const [have, want] = [found.toString().split('\n'), content.split('\n')];
  const line = have.findIndex((text, index) => text !== want[index]);
  const at = line < 0 ? have.length : line;
  return `differs from line ${at + 1}:\n    has      ${have[at] ?? '(nothing)'}\n    must be  ${want[at] ?? '(nothing)'}`;
}

/** Files in the generated folders that codegen does not make. */
function strangers(made) {
  const known = new Set(made.map(({ filename }) => resolve(filename)));
  const found = OURS_ALONE.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return found.filter((file) => !known.has(resolve(file)));
}

async function main() {
  process.chdir(ROOT);
  const check = process.argv.includes('--check');
  const { config } = await loadCodegenConfig({ configFilePath: join(ROOT, 'codegen.ts') });
  const made = await generate({ ...config, silent: true, cwd: ROOT }, !check);
  if (!check) return console.log(made.map(({ filename }) => `generated ${relative(ROOT, resolve(filename))}`).join('\n'));

  const drifts = made.flatMap((file) => {
    const how = difference(file);
    return how ? [`${file.filename} ${how}`] : [];
  });
  drifts.push(...strangers(made).map((file) => `${file} is not made by codegen.ts: remove it`));
  if (drifts.length === 0) return console.log(`codegen: what is generated agrees with the SDL (${made.length} of ${made.length} files)`);
  console.error(
    `${drifts.join('\n')}\n\nGenerated files drifted from the SDL. Run \`npm run codegen\` and commit the result; never edit them by hand.`,
  );
  process.exitCode = 1;
}

main().catch((error) => {
  console.error(`codegen failed: ${error.message}`);
  process.exitCode = 1;
});
