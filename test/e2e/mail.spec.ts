import { Mail } from '../../src/edge/mail/index.js';
import { Database } from '../../src/platform/database/index.js';
import { eventually } from '../../src/testing/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { startSmtpServer } from '../support/smtp-server.js';

const REFUSAL = '451 try again, secret-link for carol@example.test';
const LINK = 'https://pay.example/secret-link';
let app: TestApp;
let smtp: Awaited<ReturnType<typeof startSmtpServer>>;

const send = (to: string, subject = 'A subject', line = 'A line <b>&'): Promise<void> =>
  app.get(Database).transaction((tx) => app.get(Mail).send(tx, to, { subject, lines: [line, { label: 'Open', url: LINK }] }));
const jobs = async (): Promise<{ id: string; payload: unknown; failure: string | null }[]> =>
  (await app.pool.query(`SELECT id::text, payload, last_error AS failure FROM job WHERE task = 'mail'`)).rows;

beforeAll(async () => {
  smtp = await startSmtpServer([REFUSAL]);
  app = await createTestApp({ env: { MAIL_URL: smtp.url, MAIL_FROM: 'Example Pay <pay@example.test>' } });
});
afterAll(async () => {
  await app.close();
  smtp.close();
});

describe('Mail.send by SMTP', () => {
  it('keeps a message encrypted, tries it again after a failure, and sends it once, without its words in the log', async () => {
    await send('carol@example.test');
    // The first answer of the server is a failure; the next attempt is brought forward.
    const waiting = await eventually(async () => (await jobs()).find(({ failure }) => failure !== null));
    expect(JSON.stringify(waiting)).not.toMatch(/carol|secret|subject/i);
    await app.pool.query('UPDATE job SET run_at = now() WHERE id = $1', [waiting.id]);
    await eventually(async () => (await jobs()).length === 0);
    expect(smtp.mails).toHaveLength(1);
    expect(smtp.mails[0]).toMatchObject({ from: expect.stringContaining('<pay@example.test>'), to: ['<carol@example.test>'] });
    const { data = '' } = smtp.mails[0] ?? {};
    expect(data).toMatch(/^From: Example Pay <pay@example\.test>\r?$/m);
    expect(data).toContain('Auto-Submitted: auto-generated');
    expect(data).toContain(`Open:\r\n${LINK}`);
    expect(data).toContain(`<p>A line &lt;b&gt;&amp;</p>\r\n<p><a href="${LINK}">Open</a></p>`);
    const lines = app.logs.filter((line) => line.includes('job_failed') && line.includes('mail'));
    expect(lines.join()).toContain('SMTP failed: EMESSAGE, answer 451');
    expect(app.logs.join()).not.toMatch(/secret-link|carol@/);
  });

  it('sends nothing when the transaction that causes it fails', async () => {
    const failed = app.get(Database).transaction(async (tx) => {
      await app.get(Mail).send(tx, 'dave@example.test', { subject: 'Never', lines: [] });
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    expect(await jobs()).toEqual([]);
  });

  it('refuses to write headers for an attack by address or subject', async () => {
    const addresses = [
      'eve@example.test\r\nBcc: all@example.test',
      '"eve\r\nBcc: all@example.test"@example.test',
      'eve@example.test, all@example.test',
      '<eve@example.test>',
      'eve@exa mple.test',
    ];
    for (const address of addresses) await send(address);
    expect(await jobs()).toEqual([]);
    await expect(send('eve@example.test', 'Hello\r\nBcc: all@example.test')).rejects.toThrow('control character');
  });
});
