import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../src/cli/commands.js';
import { STANDALONE_COMMANDS } from '../../src/cli/run-command.js';
import { loadConfig } from '../../src/platform/config/index.js';
import { CERTIFICATE, MACAROON } from '../lightning/lnd/lnd-double.js';
import { lndEnvironment } from '../lightning/lnd/lnd-environment.js';
import { PROJECT } from '../support/server-process.js';

const read = (name: string): string => readFileSync(join(PROJECT, name), 'utf8');
const guide = read('docs/deploying.md');

describe('docs/deploying.md', () => {
  it('has an environment that a production server takes, once its secrets are filled in', async () => {
    const [, block = ''] = /Write `\/etc\/sluice\/environment`:\n\n```sh\n(.*?)```/s.exec(guide) ?? [];
    const lines = block.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    // systemd takes no comment behind a value.
    expect(lines.filter((line) => !/^[A-Z_]+=\S*$/.test(line))).toEqual([]);
    const env: Record<string, string> = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
    expect(Object.keys(env).filter((name) => env[name] === '')).toEqual(['SECRET_KEY', 'METRICS_TOKEN']);
    const node = await lndEnvironment({ address: '127.0.0.1:10009', certificate: CERTIFICATE, macaroon: MACAROON });
    const filled = {
      SECRET_KEY: 'k'.repeat(44),
      METRICS_TOKEN: 'm'.repeat(48),
      LND_TLS_CERT: node['LND_TLS_CERT'],
      LND_MACAROON: node['LND_MACAROON'],
    };
    const config = loadConfig({ ...env, ...filled }, () => '');
    expect(config).toMatchObject({ mode: 'production', network: 'mainnet', lightningBackend: 'lnd', host: '127.0.0.1' });
  });

  it('names commands that there are', () => {
    const named = [...guide.matchAll(/(?:^|`)sluice ([a-z]+(?: [a-z]+)?)/gm)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(3);
    expect(
      named.filter((said) => ![...COMMANDS, ...STANDALONE_COMMANDS].some(({ name }) => said === name || said.startsWith(`${name} `))),
    ).toEqual([]);
  });
});

describe('the files of a deployment', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

  it('start Sluice as npm start does', () => {
    const [, flags, script = ''] = /^exec node (.*) (\S+)$/.exec(scripts['start'] ?? '') ?? [];
    expect(read('deploy/sluice.service')).toContain(`ExecStart=/usr/bin/node ${flags} ${script}\n`);
    const [, program] = /launch\('(.*)'\)/.exec(read(script)) ?? [];
    expect(read('Dockerfile')).toContain(`CMD ["node", "${flags}", "dist/${program}"]`);
  });

  it('wait longer for the end of the process than the process does', () => {
    const [, ms = ''] = /MAX_SHUTDOWN_MS = ([\d_]+);/.exec(read('src/app/serve.ts')) ?? [];
    const longestMs = Number(ms.replaceAll('_', ''));
    for (const [file, pattern] of [
      ['deploy/sluice.service', /^TimeoutStopSec=(\d+)$/m],
      ['compose.yaml', /stop_grace_period: (\d+)s/],
    ] as const)
      expect(Number(pattern.exec(read(file))?.[1]) * 1000).toBeGreaterThan(longestMs);
  });
});
