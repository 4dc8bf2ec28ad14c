import { ServerResponse } from 'node:http';
import { LiveFeed } from '../../src/dashboard/live/live.controller.js';
import { CallLimits } from '../../src/edge/auth/index.js';
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
    const page = new Listener();
    let cookie = '';
    // On a busy machine the time may be over before the page listens.
    await eventually(async () => {
      cookie = (await signIn()).cookie;
      await page.open(impatient.url, { cookie, 'sec-fetch-site': 'same-origin' });
      return page.status === 200;
    });
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

  describe('of one account', () => {
    /** As many tabs as given, of two sessions. */
    const listen = async (count: number, at = app): Promise<Listener[]> => {
      const sessions = [await signIn(), await signIn()];
      const pages = Array.from({ length: count }, () => new Listener());
      for (const [n, page] of pages.entries())
        await page.open(at.url, { cookie: sessions[n % 2]?.cookie ?? '', 'sec-fetch-site': 'same-origin' });
      return pages;
    };
    const close = async (pages: readonly Listener[]): Promise<void> => {
      pages.forEach((page) => page.close());
      await eventually(() => feedsOf(app) === 0);
    };
    const feedsOf = (at: TestApp): number => (at.get(LiveFeed) as unknown as { feeds: Map<string, unknown> }).feeds.size;

    it('has ten listeners, whatever their sessions are', async () => {
      const pages = await listen(11);
      expect(pages.map(({ status }) => status)).toEqual([...Array<number>(10).fill(200), 429]);
      await close(pages);
      await close(await listen(1));
    });

    it('makes one text for an event, and charges it to the account for each listener', async () => {
      const pages = await listen(10);
      const count = jest.spyOn(app.get(CallLimits), 'countEvent');
      const write = jest.spyOn(ServerResponse.prototype, 'write');
      await fixture.fund(alice, 321);
      await eventually(() => pages.every(({ heard }) => heard.includes('data: Received: 321 sats')));
      const texts = write.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('321 sats'));
      expect([texts.length, new Set(texts).size]).toEqual([10, 1]);
      expect(count.mock.calls.map(([{ userId }, , cost]) => [userId, cost])).toEqual([[alice.userId, 500]]);
      count.mockRestore();
      write.mockRestore();
      await close(pages);
    });

    it('ends beyond the limit of the account’s events, and its page may open it again', async () => {
      const narrow = await createTestApp({ beside: app, settings: { RateLimitSettings: { eventCost: '100/60' } } });
      const pages = await listen(2, narrow);
      await fixture.fund(alice, 10);
      await eventually(() => pages.every(({ heard }) => heard.includes('10 sats')));
      await fixture.fund(alice, 11);
      await eventually(() => pages.every(({ ended }) => ended));
      expect(pages.some(({ heard }) => heard.includes('11 sats'))).toBe(false);
      const [again] = await listen(1, narrow);
      expect(again?.status).toBe(200);
      again?.close();
      await narrow.close();
    });
  });
});
