import { SessionService, SignInService } from '../../src/access/session/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

/** A page that listens to events: what it has received, and whether the server closed the stream. */
class Listener {
  heard = '';
  ended = false;
  status = 0;
  private readonly stopping = new AbortController();

  async open(url: string, headers: Record<string, string>): Promise<void> {
    const response = await fetch(`${url}/dashboard/events`, { headers, signal: this.stopping.signal });
    this.status = response.status;
    if (!response.ok || !response.body) return;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    void (async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) this.heard += part.value;
      this.ended = true;
    })().catch(() => (this.ended = true));
  }

  close(): void {
    this.stopping.abort();
  }
}

describe('the live feed of open pages', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;

  const signIn = async (): Promise<{ cookie: string; sessionId: string }> => {
    const outcome = await app
      .get(SignInService)
      .signIn({ email: alice.email, password: PASSWORD, address: '127.0.0.1', userAgent: 'test', purpose: 'page' });
    if (outcome.kind !== 'signed_in') throw new Error('The sign-in failed');
    return { cookie: `sluice=${outcome.token}`, sessionId: outcome.sessionId };
  };

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    alice = await fixture.user();
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  it('sends what arrives, and ends with the session', async () => {
    const { cookie, sessionId } = await signIn();
    const page = new Listener();
    await page.open(app.url, { cookie, 'sec-fetch-site': 'same-origin' });
    await eventually(() => page.heard.includes('retry'));
    await fixture.fund(alice, 1_000);
    await eventually(() => page.heard.includes('data: Received: 1,000 sats'));
    await app.get(SessionService).end(sessionId);
    await eventually(() => page.ended);
  });

  it('ends when the session’s idle time is over: listening is no use of it', async () => {
    const impatient = await createTestApp({ beside: app, env: { SESSION_IDLE_SECONDS: '2' } });
    const { cookie } = await signIn();
    const page = new Listener();
    await page.open(impatient.url, { cookie, 'sec-fetch-site': 'same-origin' });
    await eventually(() => page.heard.includes('retry'));
    await eventually(() => page.ended);
    await page.open(impatient.url, { cookie, 'sec-fetch-site': 'same-origin' });
    expect(page.status).toBe(404);
    await impatient.close();
  });

  it.each([
    ['another site', 'cross-site', 403],
    ['a sibling', 'same-site', 403],
    ['an address bar', 'none', 403],
  ])('refuses %s', async (_who, site, status) => {
    const { cookie } = await signIn();
    const page = new Listener();
    await page.open(app.url, { cookie, 'sec-fetch-site': site });
    expect(page.status).toBe(status);
  });

  it('refuses a caller without a session', async () => {
    const page = new Listener();
    await page.open(app.url, { 'sec-fetch-site': 'same-origin' });
    expect(page.status).toBe(404);
  });

  it('permits ten tabs of one session', async () => {
    const { cookie } = await signIn();
    const pages = Array.from({ length: 11 }, () => new Listener());
    for (const page of pages) await page.open(app.url, { cookie, 'sec-fetch-site': 'same-origin' });
    expect(pages.map(({ status }) => status)).toEqual([...Array<number>(10).fill(200), 429]);
    pages.forEach((page) => page.close());
  });
});
