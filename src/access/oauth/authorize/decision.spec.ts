import { type AuthorizationRequest, isFresh } from '../request/authorization-request.js';
import { nextStep, type SignInState } from './authorization-flow.js';

const ASKED_AT = new Date('2026-11-21T12:00:00Z');
const ago = (seconds: number): Date => new Date(ASKED_AT.getTime() - seconds * 1000);
const request = (more: Partial<AuthorizationRequest> = {}): AuthorizationRequest => ({
  clientId: 'app',
  redirectUri: 'https://app.example/cb',
  state: null,
  scopes: ['read'],
  audience: null,
  responseMode: 'query',
  dpopJkt: null,
  codeChallenge: null,
  nonce: null,
  prompt: [],
  maxAgeSeconds: null,
  loginHint: null,
  subject: null,
  ...more,
});
const present = (more: { authTime?: Date; remembered?: boolean } = {}): SignInState => ({
  session: { session: { authTime: more.authTime ?? ago(100) }, user: { id: 'alice' } },
  askedAt: ASKED_AT,
  remembered: more.remembered ?? false,
});

describe('nextStep', () => {
  it('asks for the login first, then for consent, then for nothing', () => {
    expect(nextStep(request(), null)).toBe('login');
    expect(nextStep(request(), present())).toBe('consent');
    expect(nextStep(request(), present({ remembered: true }))).toBe('approve');
  });

  it('asks again when the prompt or max_age requires it', () => {
    expect(nextStep(request({ prompt: ['login'] }), present({ remembered: true }))).toBe('login');
    expect(nextStep(request({ prompt: ['select_account'] }), present({ remembered: true }))).toBe('login');
    expect(nextStep(request({ prompt: ['consent'] }), present({ remembered: true }))).toBe('consent');
    expect(nextStep(request({ maxAgeSeconds: 99 }), present({ remembered: true }))).toBe('login');
    expect(nextStep(request({ maxAgeSeconds: 100 }), present({ remembered: true }))).toBe('approve');
  });

  it('shows no page for prompt=none', () => {
    const silent = request({ prompt: ['none'] });
    expect(() => nextStep(silent, null)).toThrow(expect.objectContaining({ code: 'login_required' }));
    expect(() => nextStep({ ...silent, maxAgeSeconds: 1 }, present({ remembered: true }))).toThrow(
      expect.objectContaining({ code: 'login_required' }),
    );
    expect(() => nextStep(silent, present())).toThrow(expect.objectContaining({ code: 'consent_required' }));
    expect(nextStep(silent, present({ remembered: true }))).toBe('approve');
  });

  it('does not answer for another user than id_token_hint names', () => {
    expect(() => nextStep(request({ subject: 'bob' }), present({ remembered: true }))).toThrow(
      expect.objectContaining({ code: 'login_required' }),
    );
    expect(nextStep(request({ subject: 'alice' }), present({ remembered: true }))).toBe('approve');
    expect(nextStep(request({ subject: 'bob' }), null)).toBe('login');
  });
});

describe('isFresh', () => {
  it.each([
    ['no demand', {}, 1e9, true],
    ['max_age=0, signed in before', { maxAgeSeconds: 0 }, 1, false],
    ['max_age=0, signed in for this', { maxAgeSeconds: 0 }, -1, true],
    ['prompt=login, signed in before', { prompt: ['login'] }, 1, false],
    ['prompt=login, signed in for this', { prompt: ['login'] }, -1, true],
    ['max_age at its last second', { maxAgeSeconds: 10 }, 10, true],
    ['max_age a moment later', { maxAgeSeconds: 10 }, 10.001, false],
    ['max_age=1, and a person who reads slowly', { maxAgeSeconds: 1 }, -600, true],
  ] as const)('%s', (_what, asked, secondsAgo, fresh) => {
    expect(isFresh(request(asked), ago(secondsAgo), ASKED_AT)).toBe(fresh);
  });
});
