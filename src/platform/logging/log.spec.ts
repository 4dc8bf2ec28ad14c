import { Log } from './log.js';
import { PinoLogger } from './pino-logger.js';

describe('Log', () => {
  const lines: string[] = [];
  const options = { level: 'debug', tokenPrefix: 'sluice' };
  const destination = { write: (line: string): void => void lines.push(line) };
  const log = new Log('Payments', new PinoLogger(options, destination));
  beforeEach(() => void (lines.length = 0));

  it('writes event, ids, text and what to do about this payment', () => {
    log.error('payment_forgotten_by_node', { paymentId: '42' }, 'Payment 42: the node no longer knows it');
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 50,
      time: expect.any(String),
      context: 'Payments',
      event: 'payment_forgotten_by_node',
      paymentId: '42',
      msg: 'Payment 42: the node no longer knows it',
      action: `Check the node's channels and logs, and the payee's; then run "npm run sluice -- payment resolve 42"`,
    });
  });

  it('writes an unexpected error with its stack, whatever was thrown', () => {
    log.error('payment_unexpected_error', {}, 'It failed', new Error('broken'));
    log.error('payment_unexpected_error', {}, 'It failed', { broken: 7n });
    expect(lines.map((line) => (JSON.parse(line) as { err: unknown }).err)).toMatchObject([
      { message: 'broken', stack: expect.stringContaining('log.spec') },
      { message: '{ broken: 7n }' },
    ]);
  });

  it('is readable at a terminal: event, text and action in one line', () => {
    new Log('Node', new PinoLogger({ ...options, readable: true }, destination)).warn('lightning_node_unreachable', {}, 'No answer');
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d warn: lightning_node_unreachable: No answer\. Check the node and the connection to it\n$/);
  });

  it('removes credentials from fields and texts', () => {
    const secret = 'sluice_at_'.padEnd(60, 'x');
    log.warn('oauth_client_rejected', { clientId: secret }, `Client authentication failed: ${secret}`);
    expect(lines.join('')).not.toContain(secret.slice(0, 30));
  });

  it('compiles for the events of the catalogue only, each at its level', () => {
    // @ts-expect-error: no such event
    expect(() => log.warn('payment_unheard_of', {}, '')).toThrow();
    // @ts-expect-error: an event of another level
    log.warn('payment_forgotten_by_node', {}, '');
    // @ts-expect-error: a bigint would lose digits in JSON
    log.warn('lightning_node_unreachable', { amountMsat: 1n }, '');
  });
});
