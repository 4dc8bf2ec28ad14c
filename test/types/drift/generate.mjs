// Generates types for many schemas in one process, with the configuration of codegen.ts: `{ name: sdl }` comes in by stdin,
// `{ name: types }` goes out by stdout. A process of its own, because jest cannot load what codegen is made of.
import { text } from 'node:stream/consumers';
import { generate, loadCodegenConfig } from '@graphql-codegen/cli';

const ROWS = { User: '../sample.js#UserRow', Note: '../sample.js#NoteRow' };

const sources = JSON.parse(await text(process.stdin));
const { config: ours } = await loadCodegenConfig({ configFilePath: new URL('../../../codegen.ts', import.meta.url).pathname });
const { plugins, config } = ours.generates['src/generated/graphql.ts'];
const generates = Object.fromEntries(
  Object.entries(sources).map(([name, schema]) => [
    name,
    { schema, plugins, config: { ...config, mappers: ROWS, contextType: '../sample.js#Context' } },
  ]),
);
const files = await generate({ generates, silent: true, verbose: false }, false);
process.stdout.write(JSON.stringify(Object.fromEntries(files.map(({ filename, content }) => [filename, content]))));
