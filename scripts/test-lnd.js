// npm run test:lnd: builds btcd and LND with Go, from the pinned modules of test/lightning/lnd/network, and runs what needs real nodes.
// The first build takes about ten minutes; the binaries are kept in the user's cache folder. `-- --build` builds them, and runs nothing;
// `npm run bench:lnd` (`--bench`) measures instead of testing.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureInstalled } from './install.js';
import { hashOf, projectRoot } from './project.js';

const MODULE = join(projectRoot, 'test/lightning/lnd/network');
/** Sub-servers that Sluice or the tests call; `lowscrypt` makes wallets that cost no time to open. */
const LND = 'github.com/lightningnetwork/lnd';
const TAGS = 'signrpc walletrpc chainrpc invoicesrpc peersrpc lowscrypt';

/** LND's own files: the tests call methods that Sluice does not, and compare Sluice's part of them. */
const PROTOS = [
  ...['lightning.proto', 'stateservice.proto', 'routerrpc/router.proto', 'invoicesrpc/invoices.proto'],
  ...['walletrpc/walletkit.proto', 'signrpc/signer.proto', 'chainrpc/chainkit.proto'],
];

function run(command, args, options) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (error) throw new Error(`${command} could not be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

function binaries() {
  const hash = hashOf(['go.mod', 'go.sum'].map((name) => readFileSync(join(MODULE, name), 'utf8')).join(TAGS)).slice(0, 16);
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sluice-lnd', hash);
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, CGO_ENABLED: '0', GOBIN: folder, GOFLAGS: '-mod=mod' };
  if (!['btcd', 'lnd'].every((name) => existsSync(join(folder, name)))) {
    console.log('Building btcd and LND ...');
    run('go', ['install', '-trimpath', '-ldflags=-s -w', '-tags', TAGS, 'tool'], { cwd: MODULE, env });
  }
  if (!PROTOS.every((file) => existsSync(join(folder, 'proto', file)))) copyProtos(join(folder, 'proto'), env);
  return folder;
}

function copyProtos(target, env) {
  const { stdout, status } = spawnSync('go', ['mod', 'download', '-json', LND], { cwd: MODULE, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The sources of LND could not be downloaded: ${stdout}`);
  for (const file of PROTOS) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    cpSync(join(JSON.parse(stdout).Dir, 'lnrpc', file), join(target, file));
  }
}

ensureInstalled({ dev: true });
const LND_BINARIES = process.env.LND_BINARIES || binaries();
const isBench = process.argv.includes('--bench');
const options = process.argv.slice(2).filter((option) => option !== '--bench');
if (!options.includes('--build'))
  run(process.execPath, [join(projectRoot, 'node_modules/jest/bin/jest.js'), '--config', join(MODULE, 'jest.config.cjs'), ...options], {
    cwd: projectRoot,
    env: { ...process.env, LND_BINARIES, ...(isBench && { LND_BENCH: '1' }) },
  });
