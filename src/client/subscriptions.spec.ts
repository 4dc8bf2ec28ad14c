import { parse } from 'graphql';
import { RequestError } from './request.error.js';
import type { TypedDocument } from './requests.js';
import { Subscriptions } from './subscriptions.js';

/** What a WebSocket does where no server is: an event of an error, which has no code, and then the close. */
class AwaySocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  static opened = 0;
  readonly readyState = 3;
  onerror: ((event: unknown) => void) | undefined;
  onclose: ((event: unknown) => void) | undefined;

  constructor() {
    AwaySocket.opened++;
    void Promise.resolve().then(() => {
      this.onerror?.(Object.assign(new Event('error'), { message: 'connect ECONNREFUSED' }));
      this.onclose?.(Object.assign(new Event('close'), { code: 1006, reason: '' }));
    });
  }
}

const DOCUMENT = parse('subscription { price }') as unknown as TypedDocument<unknown, object>;

describe('a subscription of a server that is away', () => {
  let subscriptions: Subscriptions;
  beforeEach(() => {
    jest.useFakeTimers();
    AwaySocket.opened = 0;
    subscriptions = new Subscriptions(new URL('http://wallet.example/graphql'), { webSocket: AwaySocket });
  });
  afterEach(() => jest.useRealTimers());

  it('ends with the error after six connections, over half a minute', async () => {
    const end = subscriptions
      .open(DOCUMENT, {})
      .next()
      .catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(AwaySocket.opened).toBe(5);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(AwaySocket.opened).toBe(6);
    expect(await end).toBeInstanceOf(RequestError);
    expect(await end).toMatchObject({ kind: 'connection', status: undefined, message: 'connect ECONNREFUSED' });
  });

  it('ends without an error where the client is closed, and no rejection stays without a handler', async () => {
    const end = subscriptions.open(DOCUMENT, {}).next();
    await jest.advanceTimersByTimeAsync(100);
    subscriptions.close();
    expect(await end).toEqual({ done: true, value: undefined });
    await jest.advanceTimersByTimeAsync(60_000);
    jest.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    expect(AwaySocket.opened).toBe(1);
  });
});
