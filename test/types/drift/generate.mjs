// Generates types for many schemas in one process, with the configuration of codegen.ts: `{ schemas: { name: sdl }, instead }` comes in
// by stdin, `{ name: types }` goes out by stdout. A process of its own, because jest cannot load what codegen is made of.
import { text } from 'node:stream/consumers';
import { generate, loadCodegenConfig } from '@graphql-codegen/cli';

const { schemas, instead } = JSON.parse(await text(process.stdin));
const { config: ours } = await loadCodegenConfig({ configFilePath: new URL('../../../codegen.ts', import.meta.url).pathname });
const { plugins, config } = ours.generates['src/generated/graphql.ts'];
const typesOf = (schema) => ({ schema, plugins, config: { ...config, ...instead } });
const generates = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, typesOf(schema)]));
const files = await generate({ generates, silent: true, verbose: false }, false);
process.stdout.write(JSON.stringify(Object.fromEntries(files.map(({ filename, content }) => [filename, content]))));
