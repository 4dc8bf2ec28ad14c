import type { LoggedAction } from '../../src/platform/operator-action/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { OperatorCommand } from '../support/operator-command.js';

describe('the log of operators', () => {
  let app: TestApp;
  let sluice: OperatorCommand;
  beforeAll(async () => {
    app = await createTestApp();
    sluice = new OperatorCommand(app);
  });
  afterAll(() => app.close());

  const log = async (subject: string): Promise<LoggedAction[]> =>
    (await sluice.json<LoggedAction[]>('operator', 'log', '--subject', subject)).reverse();

  it('has every change of an app, and none that was refused', async () => {
    const words = ['--name', 'Till', '--redirect-uri', 'https://till.example/back', '--scope', 'read', '--because', 'a new shop'];
    const { client_id: id } = await sluice.json<{ client_id: string }>('client', 'register', ...words);
    await expect(sluice.run('client', 'approve', id, '--because', ' ')).rejects.toThrow('--because must not be empty');
    await expect(sluice.run('client', 'approve', 'no-such-app', '--because', 'x')).rejects.toThrow('No app with the id');
    await sluice.run('client', 'approve', id, '--because', 'contract signed');
    await sluice.run('client', 'secret', id, '--overlap', '60');
    await sluice.run('client', 'suspend', id, '--because', 'a leak');
    expect(await log(id)).toEqual([
      expect.objectContaining({ action: 'client register', because: 'a new shop', details: { name: 'Till' } }),
      expect.objectContaining({ action: 'client approve', because: 'contract signed' }),
      expect.objectContaining({ action: 'client secret', because: '', details: { name: 'Till', overlapSeconds: 60 } }),
      expect.objectContaining({ action: 'client suspend', because: 'a leak' }),
    ]);
    expect(await log('no-such-app')).toEqual([]);
  });

  it('has new signing keys and what was done to jobs, and nothing about jobs that are not there', async () => {
    const { kid } = await sluice.json<{ kid: string }>('keys', 'rotate', '--because', 'the backup was lost');
    expect(await log(kid)).toEqual([expect.objectContaining({ action: 'keys rotate', because: 'the backup was lost' })]);
    const id = await eventually(async () => {
      const jobs = await sluice.json<{ id: string; task: string }[]>('jobs', 'list');
      return jobs.find(({ task }) => task === 'idempotency_cleanup')?.id;
    });
    await eventually(async () => (await sluice.run('jobs', 'retry', id, '--because', 'at once')) !== '');
    expect(await log(id)).toEqual([expect.objectContaining({ action: 'jobs retry', because: 'at once' })]);
    await expect(sluice.run('jobs', 'forget', '999999999')).rejects.toThrow('There is no job 999999999');
    expect(await log('999999999')).toEqual([]);
  });
});
