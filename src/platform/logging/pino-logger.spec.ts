import { mintToken } from '../kernel/token.js';
import { PinoLogger } from './pino-logger.js';

describe('the logger', () => {
  const lines: string[] = [];
  const log = new PinoLogger({ level: 'debug', tokenPrefix: 'sluice' }, { write: (line) => void lines.push(line) });
  beforeEach(() => void (lines.length = 0));

  it('writes one JSON object a line, with its context', () => {
    log.log('hello', 'Somewhere');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 30, context: 'Somewhere', msg: 'hello' });
  });

  it('writes lines for a person when configured so, without secrets and terminal control sequences', () => {
    const shown: string[] = [];
    const options = { level: 'debug', tokenPrefix: 'sluice', readable: true };
    const person = new PinoLogger(options, { write: (line) => void shown.push(line) });
    person.log('hello\u001b[2J', 'Somewhere');
    person.warn('password=hunter2hunter2');
    expect(shown).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d Somewhere: hello \[2J\n$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d warn: password=\[redacted\]\n$/),
    ]);
  });

  it('writes no part of an error as another line of the log', () => {
    const shown: string[] = [];
    const options = { level: 'debug', tokenPrefix: 'sluice', readable: true };
    const forged = '12:00:00 payment_settled: forged';
    new PinoLogger(options, { write: (line) => void shown.push(line) }).error(new Error(`broken\n${forged}\u009b2J`), 'Somewhere');
    const [first = '', ...more] = (shown[0] ?? '').trimEnd().split('\n');
    expect(first).toMatch(/^\d\d:\d\d:\d\d error: Somewhere: broken 12:00:00/);
    expect(more).toContain(`    ${forged} 2J`);
    expect(more.every((line) => line.startsWith('    '))).toBe(true);
  });

  it('writes the fields of an event, which cannot replace its own', () => {
    log.warn({ event: 'tipping_payout_failed', message: 'Tip 7 was not paid out', tipId: '7', level: 60, msg: 'forged' }, 'Tipping');
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 40,
      time: expect.any(String),
      context: 'Tipping',
      event: 'tipping_payout_failed',
      tipId: '7',
      msg: 'Tip 7 was not paid out',
    });
  });

  it('writes an error with its stack', () => {
    log.error(new Error('broken'), 'Somewhere');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 50, msg: 'broken', err: { type: 'Error', message: 'broken' } });
  });

  it.each([
    ['an API key', mintToken('sluice')],
    ['an access token', mintToken('sluice_at')],
    ['a refresh token', mintToken('sluice_rt')],
    ['a code', mintToken('sluice_ac')],
    ['a client secret', mintToken('sluice_cs')],
    ['a session', mintToken('sluice_st')],
    ['a key of another installation', mintToken('sluice_staging')],
    ['a token of another installation', mintToken('sluice_staging_at')],
  ])('redacts %s at any depth', (_what, secret) => {
    log.error(new Error(`it was ${secret}!`), 'Somewhere');
    log.warn({ nested: { value: secret } });
    log.debug(`https://x.test/callback?code=${secret}&state=1`);
    expect(lines).toHaveLength(3);
    expect(lines.join('')).not.toContain(secret.slice(-40));
  });

  it.each([
    'Bearer abcdefghijklmnop',
    'Basic YWxhZGRpbjpvcGVu',
    'password=hunter2hunter2',
    '"client_secret":"hunter2hunter2"',
    'X-API-KEY: hunter2hunter2',
    'postgres://sluice:hunter2hunter2@db/sluice',
  ])('redacts the secret in %p', (text) => {
    log.log(text);
    expect(lines.join('')).not.toMatch(/hunter2|YWxhZGRpbjpvcGVu|abcdefghijklmnop/);
  });
});
