import { fateOf, isConnectionSpent, isUnavailable, markNeverSent, markSentAt, sentAtOf } from './pg-errors.js';

const error = (code: string | undefined, message = 'x'): Error => Object.assign(new Error(message), code === undefined ? {} : { code });

describe('what became of a statement', () => {
  it.each(['55P03', '57014', '40001', '40P01', '53000', '53100', '53200', '53300', '25006'])('%s: it was undone', (code) => {
    expect(fateOf(error(code))).toBe('undone');
    expect(isUnavailable(error(code))).toBe(true);
  });

  it.each(['08000', '08003', '08006', '40003', '57P01', '57P02', '57P03', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])('%s: unknown', (code) => {
    expect(fateOf(error(code))).toBe('unknown');
    expect([isUnavailable(error(code)), isConnectionSpent(error(code))]).toEqual([true, true]);
  });

  it.each(['Query read timeout', 'Connection terminated unexpectedly', 'Connection terminated'])('"%s": unknown', (message) => {
    expect(fateOf(error(undefined, message))).toBe('unknown');
  });

  it.each(['ECONNREFUSED', 'ENOENT', 'ENOTFOUND'])('%s: it was never sent', (code) => expect(fateOf(error(code))).toBe('never_sent'));

  it.each([
    'EHOSTUNREACH',
    'ECONNREFUSED',
    'ENOENT',
    'ENETUNREACH',
    'ENETDOWN',
    'EHOSTDOWN',
    'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
  ])('%s of a statement that was sent: unknown', (code) => {
    const lost = markSentAt(error(code), 42);
    expect(fateOf(lost)).toBe('unknown');
    expect([isUnavailable(lost), isConnectionSpent(lost)]).toEqual([true, true]);
  });

  it.each(['23505', 'XX000', 'ERR_INVALID_ARG_TYPE'])('%s of a statement that was sent: a fault', (code) =>
    expect(fateOf(markSentAt(error(code), 42))).toBe('fault'),
  );

  it('what is known of the connection counts more than the code', () => {
    expect(fateOf(markNeverSent(error('57P03')))).toBe('never_sent');
    expect(fateOf(markNeverSent(error('ECONNRESET')))).toBe('never_sent');
  });

  it.each(['23505', '22P02', 'XX000', undefined])('%s: a fault', (code) => {
    expect(fateOf(error(code))).toBe('fault');
    expect(isUnavailable(error(code))).toBe(false);
  });

  it('a lock or a time-out of the server costs no connection; a server that cannot write does', () => {
    expect(['55P03', '57014', '53100', '25006'].map((code) => isConnectionSpent(error(code)))).toEqual([false, false, false, true]);
  });

  it('knows when its statement was sent, under the wrapper of TypeORM too', () => {
    const cause = error('08006');
    markSentAt(cause, 42);
    expect(sentAtOf({ driverError: cause })).toBe(42);
    const before = performance.now();
    expect(sentAtOf(error('08006'))).toBeGreaterThanOrEqual(before);
  });
});
