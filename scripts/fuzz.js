// npm run fuzz -- --seconds N --seed S: the model test of money (test/model), for N seconds. The same seed gives the same steps. With
// `--dollars` people exchange and pay in both currencies while the price moves. With `--processes` the steps run on three processes, and any of
// these, their connections and their PostgreSQL are killed meanwhile.
import './node-version.js';

const { once } = await import('node:events');
const { parseArgs } = await import('node:util');
const { ensureInstalled } = await import('./install.js');
const { startJest } = await import('./jest.js');

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string' },
    shrink: { type: 'boolean', default: false },
    processes: { type: 'boolean', default: false },
    dollars: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
if (!(seconds > 0) || !Number.isSafeInteger(seed)) {
  console.error('npm run fuzz -- --seconds N --seed S [--processes | --dollars]: both are numbers');
  process.exit(2);
}
ensureInstalled({ dev: true });
console.log(
  `${seconds} seconds of seed ${seed}. Again: npm run fuzz -- --seconds ${seconds} --seed ${seed}${values.processes ? ' --processes' : values.dollars ? ' --dollars' : ''} (--shrink for the shortest way to a failure)`,
);

const environment = { ...process.env, FUZZ_SECONDS: String(seconds), FUZZ_SEED: String(seed), ...(values.shrink && { FUZZ_SHRINK: '1' }) };
const subject = values.processes ? 'processes' : values.dollars ? 'dollars' : 'money';
const jest = startJest([`test/model/${subject}`], { stdio: 'inherit', env: environment });
[process.exitCode] = await once(jest, 'close');
