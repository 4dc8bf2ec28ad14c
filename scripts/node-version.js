// Every command imports it first: stops with a sentence when Node is too old for the imports that follow.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [wantedMajor, wantedMinor] = engines.node.replace('>=', '').split('.').map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
  console.error(`Sluice needs Node ${wantedMajor}.${wantedMinor} or newer, and this is ${process.version}. Get one at https://nodejs.org.`);
  process.exit(1);
}
