// Where a server spent its time: self time by package or folder, then by function, from a profile of `npm run bench -- --profile <dir>`.
//
//   node bench/profile.js <file.cpuprofile> [functions, default 25]
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../scripts/project.js';

const [file, functions = '25'] = process.argv.slice(2);
const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8'));
const IDLE = new Set(['(idle)', '(root)']);

function placeOf({ url, functionName }) {
  if (url === '') return functionName.startsWith('(') ? functionName : 'built in';
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/');
  const path = url.startsWith('file:') ? fileURLToPath(url).replace(projectRoot, '') : url;
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path);
  return inPackage ? inPackage[1] : path.split('/').slice(0, -1).join('/');
}

const [byPlace, byFunction] = [new Map(), new Map()];
const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
let busy = 0;
samples.forEach((id, index) => {
  const frame = byId.get(id);
  if (IDLE.has(frame.functionName)) return;
  const micros = timeDeltas[index];
  const place = placeOf(frame);
  const name = `${frame.functionName || '(anonymous)'}  ${place}:${frame.lineNumber + 1}`;
  busy += micros;
  byPlace.set(place, (byPlace.get(place) ?? 0) + micros);
  byFunction.set(name, (byFunction.get(name) ?? 0) + micros);
});

function print(title, times, count) {
  console.log(`\n${title}`);
  const sorted = [...times].sort((a, b) => b[1] - a[1]).slice(0, count);
  for (const [name, micros] of sorted) console.log(`${((100 * micros) / busy).toFixed(1).padStart(6)} %  ${name}`);
}

console.log(`busy: ${(busy / 1e6).toFixed(2)} s`);
print('by place', byPlace, 25);
print('by function', byFunction, Number(functions));
