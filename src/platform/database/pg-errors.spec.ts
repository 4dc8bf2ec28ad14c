import {
  statementOutcomeOf,
  isConnectionSpent,
  isCut,
  isRolledBack,
  isUnavailable,
  markNotSent,
  markSentAt,
  sentAtOf,
} from './pg-errors.js';

const error = (code: string | undefined, message = 'x'): Error => Object.assign(new Error(message), code === undefined ? {} : { code });

describe('the outcome of a statement, by its error', () => {
  it.each(['55P03', '57014', '40001', '40P01', '53000', '53100', '53200', '53300', '25006'])('takes %s for rolled back', (code) => {
    expect(statementOutcomeOf(error(code))).toBe('undone');
    expect(isUnavailable(error(code))).toBe(true);
  });

  it.each(['08000', '08003', '08006', '40003', '57P01', '57P02', '57P03', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])(
    'takes %s for unknown',
    (code) => {
      expect(statementOutcomeOf(error(code))).toBe('unknown');
      expect([isUnavailable(error(code)), isConnectionSpent(error(code))]).toEqual([true, true]);
    },
  );

  it.each(['Query read timeout', 'Connection terminated unexpectedly', 'Connection terminated'])('takes "%s" for unknown', (message) => {
    expect(statementOutcomeOf(error(undefined, message))).toBe('unknown');
  });

  it.each(['ECONNREFUSED', 'ENOENT', 'ENOTFOUND'])('takes %s for never sent', (code) =>
    expect(statementOutcomeOf(error(code))).toBe('not_sent'),
  );

  it.each([
    'EHOSTUNREACH',
    'ECONNREFUSED',
    'ENOENT',
    'ENETUNREACH',
    'ENETDOWN',
    'EHOSTDOWN',
    'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
  ])('takes %s for unknown after the statement was sent', (code) => {
    const lost = markSentAt(error(code), 42);
    expect(statementOutcomeOf(lost)).toBe('unknown');
    expect([isUnavailable(lost), isConnectionSpent(lost)]).toEqual([true, true]);
  });

  it.each(['23505', 'XX000', 'ERR_INVALID_ARG_TYPE'])('takes %s for a bug after the statement was sent', (code) =>
    expect(statementOutcomeOf(markSentAt(error(code), 42))).toBe('fault'),
  );

  it('the state of the connection takes precedence over the code', () => {
    expect(statementOutcomeOf(markNotSent(error('57P03')))).toBe('not_sent');
    expect(statementOutcomeOf(markNotSent(error('ECONNRESET')))).toBe('not_sent');
  });

  it.each(['23505', '22P02', 'XX000', undefined])('takes %s for a bug', (code) => {
    expect(statementOutcomeOf(error(code))).toBe('fault');
    expect(isUnavailable(error(code))).toBe(false);
  });

  it('keeps the connection after a lock or statement timeout, and drops it when the server is read-only', () => {
    expect(['55P03', '57014', '53100', '25006'].map((code) => isConnectionSpent(error(code)))).toEqual([false, false, false, true]);
  });

  it.each(['40001', '40P01', '55P03', '57014'])('takes %s for rolled back because of others, while the database answers', (code) =>
    expect([isRolledBack(error(code)), isRolledBack({ driverError: error(code) })]).toEqual([true, true]),
  );

  it.each(['57P01', '53300', '25006', '23505', undefined])('does not take %s for rolled back because of others', (code) =>
    expect(isRolledBack(error(code))).toBe(false),
  );

  it('recognises a connection that was cut, and no other refusal', () => {
    const cut = ['57P01', '57P02', '57P03', 'ECONNRESET', 'EPIPE'].map((code) => isCut(error(code)));
    expect([...cut, isCut(error(undefined, 'Connection terminated unexpectedly'))]).toEqual(Array(6).fill(true));
    expect(['ECONNREFUSED', 'ENOENT', '28P01'].map((code) => isCut(error(code)))).toEqual([false, false, false]);
  });

  it('recognises that the statement was sent, also inside TypeORM’s QueryFailedError', () => {
    const cause = error('08006');
    markSentAt(cause, 42);
    expect(sentAtOf({ driverError: cause })).toBe(42);
    const before = performance.now();
    expect(sentAtOf(error('08006'))).toBeGreaterThanOrEqual(before);
  });
});
