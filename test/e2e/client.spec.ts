import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parse } from 'graphql';
import { WebSocket } from 'ws';
import {
  AuthorizationDocument,
  createClient,
  GlobalsDocument,
  IntraLedgerPaymentSendDocument,
  LnInvoiceCreateDocument,
  LnInvoicePaymentSendDocument,
  MeDocument,
  OnLnInvoicePaymentStatusByHashDocument,
  OnMyUpdatesDocument,
  OnPriceDocument,
  RequestError,
  type Client,
  type ClientOptions,
  type TypedDocument,
} from '../../src/client/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, freePort, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { newOAuthApp } from '../support/oauth-app.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Sockets that a test can cut, and whose next connections it can have refused, as while a server restarts. */
class CutSocket extends WebSocket {
  static readonly opened: CutSocket[] = [];
  static refusals = 0;

  constructor(url: string, protocol: string) {
    super(CutSocket.refusals > 0 ? 'ws://127.0.0.1:1' : url, protocol);
    if (CutSocket.refusals > 0) CutSocket.refusals--;
    CutSocket.opened.push(this);
  }
}

describe('the client of the package', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  const opened: Client[] = [];
  const clientOf = (options: Omit<ClientOptions, 'url'> & { readonly url?: string | URL } = {}): Client => {
    const client = createClient({ url: app.url, webSocket: CutSocket, ...options });
    opened.push(client);
    return client;
  };
  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user({ sats: 1_000 }), await fixture.user()];
  });
  afterEach(async () => {
    for (const client of opened.splice(0)) client.close();
    await fixture.expectBalanced();
  });
  afterAll(() => app.close());

  describe('as a caller', () => {
    it('with an API key, at the address of the server or of its API', async () => {
      for (const url of [app.url, `${app.url}/`, new URL(`${app.url}/graphql`)]) {
        const { me } = await clientOf({ url, apiKey: alice.keys.read }).request(MeDocument);
        expect([me?.username, me?.defaultAccount.wallets[0]?.balance]).toEqual([alice.username, 1_000]);
      }
    });

    it('with an OAuth token, asked for at each request', async () => {
      const { access_token } = await (await newOAuthApp(app)).connect(alice, { scope: 'read' });
      const tokens = [access_token, 'sluice_at_ended'];
      const client = clientOf({ token: async () => tokens.shift() ?? '' });
      expect((await client.request(AuthorizationDocument)).authorization).toEqual({ scopes: ['READ'], budget: [] });
      await expect(client.request(AuthorizationDocument)).rejects.toMatchObject({ kind: 'http', status: 401 });
      expect((await clientOf({ token: access_token }).request(AuthorizationDocument)).authorization.scopes).toEqual(['READ']);
    });

    it('with a session, and without a credential', async () => {
      const { authorization = '' } = await fixture.session(alice);
      const session = String(authorization).replace('Bearer ', '');
      expect((await clientOf({ session }).request(AuthorizationDocument)).authorization.scopes).toEqual(['READ', 'RECEIVE', 'WRITE']);
      expect((await clientOf().request(GlobalsDocument)).globals?.network).toBe('regtest');
    });

    it('with one credential at most, and over http', () => {
      expect(() => clientOf({ apiKey: 'a', token: 'b' })).toThrow('Give one of apiKey, token and session');
      expect(() => clientOf({ url: 'ftp://wallet.example' })).toThrow('must begin with https:// or http://');
    });
  });

  describe('a request', () => {
    it('returns refusals of a mutation as values', async () => {
      const input = { walletId: alice.wallets.BTC, amount: 0 };
      const { lnInvoiceCreate } = await clientOf({ apiKey: alice.keys.receive }).request(LnInvoiceCreateDocument, { input });
      expect(lnInvoiceCreate).toMatchObject({ invoice: null, errors: [{ code: 'INVALID_INPUT', path: ['input', 'amount'] }] });
    });

    it('throws errors outside of the payload, with what else the response has', async () => {
      const document = parse('{ me { id } globals { network } }') as unknown as TypedDocument<unknown, object>;
      const failed = await clientOf({ apiKey: alice.keys.write })
        .request(document)
        .catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(RequestError);
      expect(failed).toMatchObject({
        kind: 'graphql',
        status: 200,
        code: 'INSUFFICIENT_SCOPE',
        message: 'not authorized to read data',
        data: { me: null, globals: { network: 'regtest' } },
      });
    });

    it('throws the refusals of the server before GraphQL', async () => {
      await expect(clientOf({ apiKey: 'sluice_unknown' }).request(MeDocument)).rejects.toMatchObject({
        kind: 'http',
        status: 401,
        message: 'Access credentials are invalid',
        data: undefined,
      });
    });

    it('may have been executed when the answer is missing: no server, a proxy, an abort, a redirect', async () => {
      const lost = { kind: 'connection', data: undefined, code: undefined };
      const closed = `http://localhost:${await freePort()}`;
      await expect(clientOf({ url: closed }).request(GlobalsDocument)).rejects.toMatchObject({ ...lost, status: undefined });
      const signal = AbortSignal.abort();
      const aborted = { ...lost, kind: 'aborted', message: 'The request was aborted', cause: { name: 'AbortError' } };
      await expect(clientOf().request(GlobalsDocument, {}, { signal })).rejects.toMatchObject(aborted);
      const proxy = createServer((request, response) => {
        if (request.url === '/away/graphql') response.writeHead(307, { location: `${app.url}/graphql` }).end();
        else if (request.url === '/slow/graphql') response.flushHeaders();
        else if (request.url === '/empty/graphql') response.writeHead(200).end('{}');
        else if (request.url === '/json/graphql') response.writeHead(502).end('{"errors":[{"message":"Bad gateway"}]}');
        else if (request.url === '/busy/graphql') response.writeHead(503).end('{"error":"upstream"}');
        else response.writeHead(502).end('<h1>Bad gateway</h1>');
      });
      const port = await freePort();
      await new Promise<void>((resolve) => proxy.listen(port, resolve));
      const at = `http://localhost:${port}`;
      await expect(clientOf({ url: at }).request(GlobalsDocument)).rejects.toMatchObject({ ...lost, status: 502 });
      for (const [path, status] of [
        ['empty', 200],
        ['json', 502],
        ['busy', 503],
      ] as const)
        await expect(clientOf({ url: `${at}/${path}` }).request(GlobalsDocument)).rejects.toMatchObject({ ...lost, status });
      await expect(clientOf({ url: `${at}/away` }).request(GlobalsDocument)).rejects.toMatchObject({ ...lost, status: undefined });
      const timed = clientOf({ url: `${at}/slow`, timeoutMs: 50 });
      await expect(timed.request(GlobalsDocument)).rejects.toMatchObject({ ...lost, cause: { name: 'TimeoutError' } });
      const leaving = new AbortController();
      const timedToo = clientOf({ url: `${at}/slow`, timeoutMs: 500 }).request(GlobalsDocument, {}, { signal: leaving.signal });
      await setTimeout(100);
      collectGarbage();
      await expect(timedToo).rejects.toMatchObject({ ...lost, cause: { name: 'TimeoutError' } });
      const left = clientOf({ url: `${at}/slow` }).request(GlobalsDocument, {}, { signal: leaving.signal });
      leaving.abort(new Error('the page has gone'));
      await expect(left).rejects.toMatchObject({ ...lost, kind: 'aborted' });
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    });

    it.each([
      ['string', '{ globals { network } }'],
      ['undefined', undefined],
      ['null', null],
      ['number', 7],
      ['object', {}],
      ['object', ['{ globals { network } }']],
    ])('is refused by name for a document without types: %s', async (type, document) => {
      const refusal = new TypeError(
        `A document must carry the types of its result: pass one of this package, such as GlobalsDocument, or one from graphql-codegen (given: ${type})`,
      );
      await expect(clientOf().request(document as never)).rejects.toThrow(refusal);
      expect(() => clientOf().subscribe(document as never)).toThrow(refusal);
    });

    it('takes a document of text, as graphql-codegen generates it', async () => {
      class Text extends String {
        declare readonly __apiType?: () => { globals: { network: string } };
        override toString(): string {
          return String(this.valueOf());
        }
      }
      const document = new Text('{ globals { network } }') as unknown as TypedDocument<{ globals: { network: string } }, object>;
      expect((await clientOf().request(document)).globals.network).toBe('regtest');
    });

    it.each([
      ['idempotencyKey', {}, 'заказ-7'],
      ['idempotencyKey', {}, 'order №5'],
      ['idempotencyKey', {}, 'a\nb'],
      ['apiKey', { apiKey: 'sluice_a\nb' }, undefined],
      ['token', { token: () => 'sluice_at_a\nb' }, undefined],
      ['session', { session: 'a\nb' }, undefined],
    ])('is not sent with a value that no header carries: %s', async (option, credential, idempotencyKey) => {
      const sent = jest.fn(fetch);
      const failed = clientOf({ ...credential, fetch: sent }).request(GlobalsDocument, {}, idempotencyKey ? { idempotencyKey } : {});
      await expect(failed).rejects.toThrow(new TypeError(`${option} has a character that an HTTP header cannot carry`));
      expect(sent).not.toHaveBeenCalled();
    });

    it('with an idempotency key pays once, and says which response is a repeat', async () => {
      const client = clientOf({ apiKey: alice.keys.write });
      const input = { walletId: alice.wallets.BTC, recipientWalletId: bob.wallets.BTC, amount: 10 };
      const pay = () => client.execute(IntraLedgerPaymentSendDocument, { input }, { idempotencyKey: 'order 17' });
      const [first, second] = [await pay(), await pay()];
      expect([first.replayed, second.replayed]).toEqual([false, true]);
      expect(second.data).toEqual(first.data);
      expect(first.data.intraLedgerPaymentSend).toMatchObject({ status: 'SUCCESS', errors: [] });
      expect([await alice.sats(), await bob.sats()]).toEqual([990, 10]);
    });

    it('accepts the variables of its document only', () => {
      const client = clientOf();
      const unchecked = (): void => {
        // @ts-expect-error -- the input is missing
        void client.request(LnInvoicePaymentSendDocument);
        // @ts-expect-error -- an amount is a number
        void client.request(LnInvoiceCreateDocument, { input: { walletId: 'w', amount: 'all' } });
        // @ts-expect-error -- the document selects no phone number
        void client.request(MeDocument).then(({ me }) => me?.phone);
      };
      expect(unchecked).toBeInstanceOf(Function);
    });
  });

  describe('a subscription', () => {
    it('returns events until the server ends it', async () => {
      const { paymentRequest, paymentHash } = await bob.invoice(25);
      const events = clientOf().subscribe(OnLnInvoicePaymentStatusByHashDocument, { input: { paymentHash } });
      const seen = [];
      for await (const { lnInvoicePaymentStatusByHash: event } of events) {
        seen.push(event.status);
        if (event.status === 'PENDING') await alice.pay(paymentRequest);
      }
      expect(seen).toEqual(['PENDING', 'PAID']);
    });

    it('ends when its loop is left, by a signal, and when the client is closed', async () => {
      const client = clientOf();
      const input = { amount: 100, amountCurrencyUnit: 'BTCSAT', priceCurrencyUnit: 'USDCENT' } as const;
      const left = client.subscribe(OnPriceDocument, { input });
      for await (const { price } of left) {
        expect(price.price?.currencyUnit).toBe('USDCENT');
        if (price.price) break;
      }
      expect((await left.next()).done).toBe(true);
      const abort = new AbortController();
      const byAbort = client.subscribe(OnPriceDocument, { input }, { signal: abort.signal });
      const byClose = client.subscribe(OnPriceDocument, { input });
      for (const events of [byAbort, byClose]) expect((await events.next()).done).toBe(false);
      const ends = [byAbort.next(), byClose.next()];
      abort.abort();
      expect((await ends[0])?.done).toBe(true);
      client.close();
      expect((await ends[1])?.done).toBe(true);
      const late = client.subscribe(OnPriceDocument, { input }, { signal: abort.signal });
      expect((await late.next()).done).toBe(true);
    });

    it('throws its refusal, and the close code of a refused credential', async () => {
      await expect(clientOf({ apiKey: alice.keys.write }).subscribe(OnMyUpdatesDocument).next()).rejects.toMatchObject({
        kind: 'graphql',
        code: 'INSUFFICIENT_SCOPE',
      });
      await expect(clientOf({ apiKey: 'sluice_unknown' }).subscribe(OnMyUpdatesDocument).next()).rejects.toMatchObject({
        kind: 'http',
        status: 4401,
      });
    });

    it('connects again after a lost connection, also where the server is away for longer, and reports it', async () => {
      let reconnects = 0;
      const client = clientOf({ apiKey: bob.keys.read, onReconnect: () => void reconnects++ });
      const events = client.subscribe(OnMyUpdatesDocument);
      const first = events.next();
      // The protocol does not report when a subscription runs: pay until an event arrives.
      const payUntil = async (event: Promise<unknown>): Promise<void> => {
        let arrived = false;
        void event.then(() => (arrived = true));
        await eventually(async () => {
          if (!arrived) await alice.pay((await bob.invoice(1)).paymentRequest);
          return arrived;
        });
      };
      await payUntil(first);
      CutSocket.refusals = 1;
      CutSocket.opened.at(-1)?.terminate();
      const next = events.next();
      let isLost = false;
      next.catch(() => (isLost = true));
      await eventually(() => reconnects === 1 || isLost);
      await payUntil(next);
      expect([CutSocket.refusals, reconnects]).toEqual([0, 1]);
      expect((await first).value?.myUpdates.update).toMatchObject({ __typename: 'LnUpdate', transaction: { settlementAmount: 1 } });
    });

    it('ends with what the function of its token throws', async () => {
      const token = (): string => {
        throw new Error('no token today');
      };
      await expect(clientOf({ token }).subscribe(OnMyUpdatesDocument).next()).rejects.toThrow('no token today');
    });

    it('needs a WebSocket', () => {
      const global = globalThis as { WebSocket?: unknown };
      const own = global.WebSocket;
      global.WebSocket = undefined;
      expect(() => createClient({ url: app.url }).subscribe(OnMyUpdatesDocument)).toThrow('pass that of the package ws as webSocket');
      global.WebSocket = own;
    });
  });
});
