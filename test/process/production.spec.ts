import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/app.js';
import { request } from '../support/http.js';
import { ServerProcess } from '../support/server-process.js';

describe('a refused configuration', () => {
  let server: ServerProcess;
  afterEach(() => server?.close());

  /** Starts with these variables, which must fail. @returns the problems that it names */
  async function refusal(variables: Readonly<Record<string, string>>): Promise<string[]> {
    server = await ServerProcess.prepare(variables);
    const { code, stdout, stderr } = await server.launch();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^The configuration has /);
    for (const [name, value] of Object.entries(variables)) if (value.includes('hunter2')) expect(`${name}: ${stderr}`).not.toContain(value);
    expect(existsSync(join(server.dataDir, 'postgres'))).toBe(false);
    return [...stderr.matchAll(/^ {2}- (.*)$/gm)].map(([, problem = '']) => problem);
  }

  it('names every missing variable at once in production', async () => {
    expect(await refusal({ SLUICE_MODE: 'production' })).toEqual([
      'PUBLIC_URL must be set in production',
      'LIGHTNING_BACKEND must be set in production',
      'SECRET_KEY must be set in production',
      'NETWORK must be set in production',
      'DATABASE_URL must be set in production (or SLUICE_EMBEDDED_POSTGRES=1)',
    ]);
  });

  it('names invalid variables beside missing ones, and never a value', async () => {
    const problems = await refusal({
      SLUICE_MODE: 'production',
      DATABASE_URL: 'mysql://sluice:hunter2@db/sluice',
      SECRET_KEY: 'hunter2',
      PUBLIC_URL: 'hunter2 is no address',
      LIGHTNING_BACKEND: 'hunter2-node',
      PORT_IS_NOT_A_VARIABLE: 'hunter2',
      THROTTLE_ADDRESS: 'hunter2',
      PAYMENT_WAIT_SECONDS: 'hunter2',
    });
    for (const name of [
      'DATABASE_URL',
      'SECRET_KEY',
      'PUBLIC_URL',
      'LIGHTNING_BACKEND',
      'THROTTLE_ADDRESS',
      'PAYMENT_WAIT_SECONDS',
      'NETWORK',
    ])
      expect(problems.filter((problem) => problem.startsWith(name))).toHaveLength(1);
    expect(problems).toHaveLength(7);
    expect(problems.join('\n')).not.toContain('hunter2');
  });

  it('with simulated money is refused in production', async () => {
    const almost = { SLUICE_MODE: 'production', SLUICE_EMBEDDED_POSTGRES: '1', SECRET_KEY: 'x'.repeat(32), NETWORK: 'regtest' };
    expect(await refusal({ ...almost, PUBLIC_URL: 'https://sluice.example', LIGHTNING_BACKEND: 'simulator' })).toEqual([
      'LIGHTNING_BACKEND=simulator is refused in production unless SLUICE_ALLOW_SIMULATED_MONEY=1',
    ]);
  });

  it('of a demo beyond loopback, its own database or simulated money is refused', async () => {
    expect(await refusal({ PUBLIC_URL: 'https://sluice.example', DATABASE_URL: 'postgres://db/sluice', LIGHTNING_BACKEND: 'lnd' })).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^PUBLIC_URL /),
        expect.stringMatching(/^DATABASE_URL /),
        expect.stringMatching(/^LIGHTNING_BACKEND /),
      ]),
    );
  });
});

describe('production', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await ServerProcess.start({
      PORT: String(await freePort()),
      SLUICE_MODE: 'production',
      SLUICE_EMBEDDED_POSTGRES: '1',
      SECRET_KEY: 'a secret of the operator, long enough',
      NETWORK: 'regtest',
      PUBLIC_URL: 'https://sluice.example',
      LIGHTNING_BACKEND: 'simulator',
      SLUICE_ALLOW_SIMULATED_MONEY: '1',
      HOST: '127.0.0.1',
    });
  });
  afterAll(() => server?.close());

  it('has no user and no key of the demo, and reports at start that the money is simulated', () => {
    expect(server.lines.join('\n')).toMatch(/SIMULATED/);
    expect(server.lines).toContain('Sluice is ready at https://sluice.example');
    expect(existsSync(join(server.dataDir, 'demo.json'))).toBe(false);
    expect(existsSync(join(server.dataDir, 'secret-key'))).toBe(false);
  });

  it('shows that on every page too, and its cookies are Secure', async () => {
    const { status, text, headers } = await request(`${server.url}/login`);
    expect(status).toBe(200);
    expect(text).toContain('Simulated money.');
    expect(text).not.toMatch(/example\.test|sluice-demo/);
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-[^;]+; .*Secure/)]);
  });

  it('refuses the demo’s password', async () => {
    const body = JSON.stringify({ email: 'alice@example.test', password: 'sluice-demo' });
    const { status } = await request(`${server.url}/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(status).toBe(401);
  });
});
