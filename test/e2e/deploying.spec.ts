import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../src/operator/act/commands.js';
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

  it('have a template for several processes, which differs from the unit in its port only, and a balancer that asks each for its readiness', () => {
    const lines = (file: string): string[] => read(file).split('\n').slice(1);
    expect(lines('deploy/sluice@.service').filter((line) => line !== 'Environment=PORT=%i')).toEqual(lines('deploy/sluice.service'));
    expect(lines('deploy/sluice@.service')).toContain('Environment=PORT=%i');
    const [, block = ''] = /Write `\/etc\/sluice\/environment`:\n\n```sh\n(.*?)```/s.exec(guide) ?? [];
    expect(block).not.toMatch(/^PORT=/m);
    const ports = [...guide.matchAll(/sluice@(\d+)/g)].map(([, port]) => port);
    const several = read('deploy/Caddyfile.several');
    expect([...new Set(ports)]).toEqual([...several.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port));
    expect(several).toContain('health_uri /health/ready');
  });

  it('back up by a command that there is, every day', () => {
    const [, name = ''] = /ExecStart=.*scripts\/sluice\.js (\S+) /.exec(read('deploy/sluice-backup.service')) ?? [];
    expect(STANDALONE_COMMANDS.map((command) => command.name)).toContain(name);
    expect(read('deploy/sluice-backup.timer')).toMatch(/^OnCalendar=\*-\*-\* /m);
    expect(existsSync(join(PROJECT, 'scripts/sluice.js'))).toBe(true);
  });

  it.each(['Sizes', 'Prometheus', 'Logs', 'Several processes', 'Backups', 'Upgrades', 'PRICE_SOURCE', 'ACCOUNT_LIMITS', 'REGISTRATION'])(
    'are explained by the guide: %s',
    (subject) => expect(guide).toMatch(new RegExp(`^## ${subject}$|^\\| \`${subject}=`, 'm')),
  );

  it('wait longer for the end of the process than the process does', () => {
    const [, ms = ''] = /MAX_SHUTDOWN_MS = ([\d_]+);/.exec(read('src/app/serve.ts')) ?? [];
    const longestMs = Number(ms.replaceAll('_', ''));
    for (const [file, pattern] of [
      ['deploy/sluice.service', /^TimeoutStopSec=(\d+)$/m],
      ['compose.yaml', /stop_grace_period: (\d+)s/],
    ] as const)
      expect(Number(pattern.exec(read(file))?.[1]) * 1000).toBeGreaterThan(longestMs);
  });

  /** Where a hurried operator may leave secrets in a clone. */
  const SECRETS = ['.env', 'deploy/environment', 'deploy/postgres-password', 'deploy/lnd-sluice.macaroon', 'admin.macaroon', 'environment'];

  it('build the image from a list of what is needed, and its last stage copies no more than what runs', () => {
    const [first, ...rest] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    const context = rest.map((line) => /^!([\w.-]+)$/.exec(line)?.[1] ?? `no plain name: ${line}`);
    expect(first).toBe('*');
    const isIn = (path: string): boolean => context.includes(path.split('/')[0] ?? '');
    expect(SECRETS.filter(isIn)).toEqual([]);
    expect(context.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
    // What `npm run build` reads.
    expect(
      ['nest-cli.json', 'scripts/build.js', 'src/main.ts', 'migrations/index.ts', 'schema.graphql'].filter((path) => !isIn(path)),
    ).toEqual([]);
    const [, last = ''] = read('Dockerfile').split(/^FROM .*\n(?![^]*^FROM )/m);
    const copied = [...last.matchAll(/^COPY .*?--from=build (?:--\S+ )*(.*) \S+$/gm)].map(([, from]) => from);
    expect(copied).toEqual(['/app/package.json', '/app/node_modules', '/app/dist', '/app/docs']);
    expect(last).not.toMatch(/^(ADD|COPY (?!--from=build))/m);
  });

  it('read their secrets from outside of the clone, and git takes none that lie in it', () => {
    const places = [...read('compose.yaml').matchAll(/(?:env_file|file): (\S+?)(?= |$)/gm)].map(([, place]) => place);
    expect(places).toEqual([
      '/etc/sluice/environment',
      '/etc/sluice/lnd-tls.cert',
      '/etc/sluice/lnd-sluice.macaroon',
      '/etc/sluice/postgres-password',
    ]);
    const { stdout } = spawnSync('git', ['check-ignore', '--no-index', ...SECRETS], { cwd: PROJECT, encoding: 'utf8' });
    expect(stdout.trim().split('\n')).toEqual(SECRETS.filter((path) => path !== 'environment'));
  });
});
