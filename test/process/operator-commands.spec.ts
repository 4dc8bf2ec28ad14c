import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, run, ServerProcess } from '../support/server-process.js';

/** The environment of a server that holds real money, on the data of a demo, so that the commands find people and apps there. */
const REAL = {
  SLUICE_MODE: 'production',
  SLUICE_EMBEDDED_POSTGRES: '1',
  LIGHTNING_BACKEND: 'custom',
  NETWORK: 'regtest',
  PUBLIC_URL: 'https://sluice.example',
  SECRET_KEY: 'a secret of the operator, long enough',
};

/** An entry point with a command that prints, does other work, and prints again. */
const ENTRY = `
import { appendFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { runCommand } from '${PROJECT}/dist/src/index.js';
const run = async (app, args, print) => {
  for (const line of ['first', 'second']) {
    print(line);
    await setImmediate();
  }
  appendFileSync(process.env.DONE, 'done');
};
await runCommand({ commands: [{ name: 'two lines', summary: 'Prints two lines', run }] });
`;

describe('the operator’s commands beside a server with a custom Lightning back end', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await ServerProcess.start({ SECRET_KEY: REAL.SECRET_KEY });
  });
  afterAll(() => server?.close());

  it('audit prints one line of JSON', async () => {
    const { code, stdout, stderr } = await server.commandWith(REAL, 'audit', '--json');
    expect([code, stderr, stdout.endsWith('\n')]).toEqual([0, '', true]);
    expect(JSON.parse(stdout)).toEqual({
      findings: [],
      place: expect.stringMatching('data folder'),
      history: { journals: '0', digest: '' },
    });
  });

  it('client apply prints the command that approves, ready to run', async () => {
    const app = ['--name', 'Tea House', '--redirect-uri', 'https://tea.example/callback', '--scope', 'read'];
    const { stdout } = await server.command('client', 'apply', ...app, '--purpose', 'Sells tea to people who like it');
    const [, command = 'false'] = /^Waits\. Run: (.+)$/m.exec(stdout) ?? [];
    expect(await run('bash', ['-c', command], server.variables)).toMatchObject({ code: 0 });
  });

  it('reads a password from standard input', async () => {
    const program = `${process.execPath} scripts/sluice.js user set-password alice@example.test --because lost --ask`;
    const silent = await run('bash', ['-c', `${program} </dev/null`], server.variables);
    expect([silent.code, silent.stderr]).toEqual([2, expect.stringMatching(/^The new password is missing/)]);
    const given = await run('bash', ['-c', `printf 'a password of her own\\n' | ${program}`], server.variables);
    expect(given).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Password changed\.\nAPI keys that still work: demo all, /) });
    const body = JSON.stringify({ email: 'alice@example.test', password: 'a password of her own' });
    const answer = await fetch(`${server.url}/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(answer.status).toBe(200);
  });

  it('invitation create names the public address of the server, and says where invitations have no effect', async () => {
    const { code, stdout } = await server.commandWith(REAL, 'invitation', 'create');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^link: https:\/\/sluice\.example\/register\?invitation=\S+$/m)]);
    expect(stdout).toContain('REGISTRATION is closed in this environment');
  });

  it('lnd check asks the node before there is a database, and so before an upgrade', async () => {
    const node = { LIGHTNING_BACKEND: 'lnd', LND_ADDRESS: '127.0.0.1:1', LND_MACAROON: '0201036c6e64' };
    const away = { DATABASE_URL: 'postgres://sluice@127.0.0.1:1/none', DATABASE_START_SECONDS: '0' };
    const { code, stdout, stderr } = await server.commandWith({ ...REAL, ...node, ...away }, 'lnd', 'check');
    expect([code, stderr]).toEqual([1, 'The LND node is not ready for Sluice: reachable\n']);
    expect(stdout).toMatch(/^FAULT {2}reachable /);
  });

  it('payment reports a refusal by its exit status', async () => {
    const none = '00000000-0000-4000-8000-000000000000';
    expect(await server.commandWith(REAL, 'payment', 'show', none)).toMatchObject({ code: 1, stderr: 'No payment with this id\n' });
  });

  it('a command completes its work when the reader of its output has ended, as head does', async () => {
    const [entry, DONE] = [join(server.dataDir, 'entry.mjs'), join(server.dataDir, 'done')];
    writeFileSync(entry, ENTRY);
    const script = `${process.execPath} ${entry} two lines | true; echo "exit \${PIPESTATUS[0]}"`;
    expect(await run('bash', ['-c', script], { ...server.variables, DONE })).toMatchObject({ stdout: 'exit 0\n', stderr: '' });
    expect(readFileSync(DONE, 'utf8')).toBe('done');
  });

  it('commands of the simulator are refused in one sentence', async () => {
    const { code, stderr } = await server.commandWith(REAL, 'simulator', 'payments');
    expect([code, stderr]).toEqual([1, 'This server has a real Lightning node; simulator commands are not available\n']);
  });
});
