import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Body, Controller, Get, Injectable, Module, Post, Req } from '@nestjs/common';
import { Args, Context, Mutation, Query, ResolveField, Resolver, Subscription } from '@nestjs/graphql';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ApiKeyService } from '../../src/access/api-key/index.js';
import {
  AccountService,
  CoreModule,
  Database,
  Events,
  InvalidInput,
  mapped,
  Metrics,
  Public,
  Scopes,
  sql,
  userIdOf,
  type Extension,
  type GqlContext,
  type Stream,
  type UserRow,
} from '../../src/index.js';
import { tipping } from '../extensions/tipping/tipping.extension.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { dataOf, graphql, socketClient, Subscribed, type CredentialHeaders } from '../support/graphql.js';
import { post } from '../support/http.js';
import { listenerCount, untilListening } from '../support/event-probe.js';
import { boxesOf, newOAuthApp } from '../support/oauth-app.js';
import { hiddenFields, BrowserSession } from '../support/browser-session.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

declare module '../../src/index.js' {
  interface EventMap {
    'gift.given': { readonly what: string };
  }
}

/** What the example lacks: a mutation, a subscription with an event of its own, a guarded nested type, REST. */
const SDL = `
  extend type Query { giftsOpen: [String!]! }
  extend type Mutation { giftGive(what: String!): GiftPayload! }
  extend type Subscription { giftGiven: String! }
  extend type User { gifts: Gifts giftLast: String }
  type Gifts { count: Int! }
  type GiftPayload { errors: [Error!]! ok: Boolean }
`;

const ADD = sql`WITH gift AS (INSERT INTO gift.given (account_id, what) VALUES ($1::uuid, $2) RETURNING *)
         SELECT event_add(ARRAY['gift.given'], ARRAY[account_id::text], ARRAY[jsonb_build_object('what', what)]) FROM gift`;
const COUNT = sql`SELECT count(*)::int AS count FROM gift.given WHERE account_id = $1`;

@Injectable()
class GiftService {
  private readonly counter: ReturnType<Metrics['counter']>;

  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly accounts: AccountService,
    metrics: Metrics,
  ) {
    this.counter = metrics.counter('sluice_gift_given_total', 'Gifts that were given');
  }

  async give(userId: string, what: string): Promise<void> {
    await this.database.query(ADD, [await this.accountOf(userId), what]);
    this.counter.inc();
    this.events.poll();
  }

  async count(userId: string): Promise<number> {
    return (await this.database.query<{ count: number }>(COUNT, [await this.accountOf(userId)]))[0]?.count ?? 0;
  }

  async given(userId: string): Promise<Stream<{ giftGiven: string }>> {
    return mapped(this.events.stream('gift.given', await this.accountOf(userId)), ({ what }) => ({ giftGiven: what }));
  }

  private async accountOf(userId: string): Promise<string> {
    return (await this.accounts.getOfUser(userId)).id;
  }
}

@Resolver('User')
class GiftResolver {
  constructor(private readonly gifts: GiftService) {}

  @Query()
  @Public()
  giftsOpen(): string[] {
    return ['a book'];
  }

  @Mutation()
  @Scopes('gift:give')
  async giftGive(@Args('what') what: string, @Context() { principal }: GqlContext): Promise<{ errors: []; ok: boolean }> {
    if (what === '') throw InvalidInput.of('what must not be empty', 'INVALID_INPUT', ['what']);
    await this.gifts.give(userIdOf(principal), what);
    return { errors: [], ok: true };
  }

  @Subscription()
  @Scopes('gift:see')
  giftGiven(@Context() { principal }: GqlContext): Promise<Stream<{ giftGiven: string }>> {
    return this.gifts.given(userIdOf(principal));
  }

  @ResolveField('gifts')
  async giftsOf({ id }: UserRow): Promise<{ count: number }> {
    return { count: await this.gifts.count(id) };
  }

  @ResolveField()
  giftLast(): string {
    return 'a book';
  }
}

@Controller('gifts')
class GiftController {
  constructor(private readonly gifts: GiftService) {}

  @Post()
  @Scopes('gift:give')
  async give(@Body() { what }: { what: string }, @Req() { principal }: GqlContext): Promise<{ count: number }> {
    await this.gifts.give(userIdOf(principal), what);
    return { count: await this.gifts.count(userIdOf(principal)) };
  }
}

abstract class CountController {
  constructor(private readonly gifts: GiftService) {}

  @Get()
  async count(@Req() { principal }: GqlContext): Promise<{ count: number }> {
    return { count: await this.gifts.count(userIdOf(principal)) };
  }
}

@Controller('gift-count')
@Scopes('gift:see')
class GiftCountController extends CountController {
  constructor(gifts: GiftService) {
    super(gifts);
  }
}

@Module({ imports: [CoreModule], providers: [GiftResolver, GiftService], controllers: [GiftController, GiftCountController] })
class GiftModule {}

class Gift1764300001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE given (account_id uuid NOT NULL, what text NOT NULL)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE given');
  }
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-gift-'));
writeFileSync(join(folder, 'gift.graphql'), SDL);
const gift: Extension = {
  name: 'gift',
  module: GiftModule,
  schema: join(folder, 'gift.graphql'),
  scopes: [
    { name: 'gift:give', title: 'Give things in your name', consequence: 'Others think it was you', movesMoney: true },
    { name: 'gift:see', title: 'See what you were given', consequence: 'How many gifts, and what they are' },
  ],
  reveals: { Gifts: 'gift:see', 'User.giftLast': 'gift:see' },
  migrations: [Gift1764300001000],
};

describe('extensions', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;

  beforeAll(async () => {
    app = await createTestApp({ extensions: [tipping(), gift] });
    fixture = new Fixture(app);
    alice = await fixture.user();
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });

  async function keyOf(...scopes: string[]): Promise<CredentialHeaders> {
    const made = await app.get(ApiKeyService).create({ userId: alice.userId, name: scopes.join(' '), scopes, expireInDays: null });
    if (made.kind !== 'created') throw new Error(JSON.stringify(made));
    return { 'x-api-key': made.secret };
  }
  const codeOf = async (query: string, credential: CredentialHeaders, server = app): Promise<unknown> =>
    (await graphql(server.url, query, {}, credential)).errors?.[0]?.extensions;

  describe('and their scopes', () => {
    const TIPS = '{ tipsReceived { count } }';

    it('are shown on the consent page with their own descriptions, and carried by the token', async () => {
      const client = await newOAuthApp(app, { scopes: ['read', 'tipping:read', 'gift:give'] });
      const browser = new BrowserSession(app.url);
      const url = client.authorizeUrl({ scope: 'read tipping:read gift:give' });
      const page = await client.consentPage(alice, await browser.get(url), browser);
      expect(boxesOf(page)).toEqual(['read', 'tipping:read', 'gift:give']);
      expect(page.text).toContain('See the tips you received');
      expect(page.text).toContain('Others think it was you');
      // A scope that moves money is never ticked in advance, whichever module defines it.
      const ticked = [...page.text.matchAll(/<input[^>]*type="checkbox"[^>]*>/g)].filter(([box]) => /\bchecked\b/.test(box));
      expect(ticked.map(([box]) => /value="([^"]*)"/.exec(box)?.[1])).toEqual(['read', 'tipping:read']);

      const back = await browser.submit(page, { decision: 'allow', scope: ['tipping:read'] });
      const { body } = await client.exchange(new URL(back.location).searchParams.get('code') ?? '');
      expect(body.scope).toBe('tipping:read');
      const token = { 'oauth2-token': body.access_token as string };
      expect(await dataOf(app.url, TIPS, {}, token)).toEqual({ tipsReceived: { count: 0 } });
      expect(await codeOf('{ me { id } }', token)).toMatchObject({ code: 'INSUFFICIENT_SCOPE', scope: 'read' });
    });

    it('are carried by keys of the dashboard', async () => {
      const browser = new BrowserSession(app.url);
      const account = { email: alice.email, password: PASSWORD };
      await browser.signInOnTheWay(await browser.get('/dashboard/keys/new'), account);
      const page = await browser.get('/dashboard/keys/new');
      expect(boxesOf(page)).toEqual(expect.arrayContaining(['read', 'tipping:read', 'gift:see', 'gift:give']));
      const fields = { ...hiddenFields(page), name: 'tips only', scope: 'tipping:read', expires: 'never' };
      const made = await browser.post('/dashboard/keys', fields);
      const secret = /sluice_[0-9A-Za-z]{40,}/.exec((await browser.get(made.location)).text)?.[0] ?? '';
      expect(await dataOf(app.url, TIPS, {}, { 'x-api-key': secret })).toEqual({ tipsReceived: { count: 0 } });
    });

    it('are held by sessions', async () => {
      expect(await dataOf(app.url, TIPS, {}, await fixture.session(alice))).toEqual({ tipsReceived: { count: 0 } });
    });

    it('cannot be requested by apiKeyCreate, whose enum is the core’s', async () => {
      const mutation = 'mutation { apiKeyCreate(input: { name: "x", scopes: [TIPPING_READ] }) { apiKeySecret } }';
      const { errors } = await graphql(app.url, mutation, {}, await fixture.session(alice));
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED' });
    });

    it('give the cause of a key’s refusal', async () => {
      const credential = await keyOf('gift:see');
      await graphql(app.url, TIPS, {}, credential);
      const [key] = await app.get(ApiKeyService).list(alice.userId);
      await eventually(async () => (await app.get(ApiKeyService).find(alice.userId, key?.id ?? ''))?.lastRefusal === 'scope:tipping:read');
    });
  });

  it('consume an event once, over repeats and several processes', async () => {
    const beside = await createTestApp({ beside: app, extensions: [tipping(), gift] });
    const [bob, tips] = [await fixture.user({ sats: 100 }), await keyOf('tipping:read')];
    const received = async (): Promise<{ count: number; sats: number }> =>
      (await dataOf(app.url, '{ tipsReceived { count sats } }', {}, tips)).tipsReceived;
    const tip = async (sats: number): Promise<unknown> => bob.pay((await alice.invoice(sats, 'tip')).paymentRequest);

    await tip(7);
    await app.pool.query(`SELECT history_publish(array_agg(t)) FROM transaction t WHERE t.account_id = $1`, [alice.accountId]);
    // Events arrive in order: when the second tip is there, all events of the first have been processed.
    await tip(8);
    await eventually(async () => (await received()).count >= 2);
    await beside.close();
    expect(await received()).toEqual({ count: 2, sats: 15 });
  });

  it('leave keys and pages that still work after their removal', async () => {
    const credential = await keyOf('read', 'tipping:read');
    const bare = await createTestApp({ beside: app });
    try {
      expect(await dataOf(bare.url, '{ me { id } }', {}, credential)).toEqual({ me: { id: alice.userId } });
      expect(await codeOf('{ tipsReceived { count } }', credential, bare)).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED' });
      const browser = new BrowserSession(bare.url);
      await browser.signInOnTheWay(await browser.get('/dashboard'), { email: alice.email, password: PASSWORD });
      const [key] = await app.get(ApiKeyService).list(alice.userId);
      expect((await browser.get('/dashboard/keys')).status).toBe(200);
      expect((await browser.get(`/dashboard/keys/${key?.id ?? ''}`)).status).toBe(200);
      expect((await browser.get('/dashboard/apps')).status).toBe(200);
    } finally {
      await bare.close();
    }
  });

  it('guard their own types wherever they are reached from', async () => {
    const query = '{ me { id gifts { count } } }';
    expect(await codeOf(query, await keyOf('read'))).toMatchObject({ code: 'INSUFFICIENT_SCOPE', scope: 'gift:see' });
    expect(await codeOf(query, await keyOf('gift:see'))).toMatchObject({ code: 'INSUFFICIENT_SCOPE', scope: 'read' });
    expect(await dataOf(app.url, query, {}, await keyOf('read', 'gift:see'))).toMatchObject({ me: { gifts: { count: 0 } } });
  });

  it('guard a field of their own on a type of the core', async () => {
    const query = '{ me { id giftLast } }';
    expect(await codeOf(query, await keyOf('read'))).toMatchObject({ code: 'INSUFFICIENT_SCOPE', scope: 'gift:see' });
    expect(await dataOf(app.url, query, {}, await keyOf('read', 'gift:see'))).toMatchObject({ me: { giftLast: 'a book' } });
  });

  it('make a field public by @Public()', async () => {
    expect(await dataOf(app.url, '{ giftsOpen }')).toEqual({ giftsOpen: ['a book'] });
  });

  it('refuse invalid input as the core does', async () => {
    const give = 'mutation ($what: String!) { giftGive(what: $what) { ok errors { message code path } } }';
    const { data, errors } = await graphql(app.url, give, { what: '' }, await keyOf('gift:give'));
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      giftGive: { ok: null, errors: [{ message: 'what must not be empty', code: 'INVALID_INPUT', path: ['what'] }] },
    });
  });

  it('push their own events to permitted subscribers', async () => {
    const client = socketClient(app.url, await keyOf('gift:see'));
    let gifts: Subscribed<{ giftGiven: string }> | undefined;
    await untilListening(app, 'gift.given', alice.accountId, () => (gifts = new Subscribed(client, 'subscription { giftGiven }')));
    const { status, body } = await post(`${app.url}/gifts`, { what: 'a book' }, await keyOf('gift:give'));
    expect({ status, body }).toEqual({ status: 201, body: { count: 1 } });
    expect(await gifts?.next()).toEqual({ giftGiven: 'a book' });
    expect(await app.get(Metrics).text()).toMatch(/^sluice_gift_given_total [1-9]/m);
    await client.dispose();
    const refused = new Subscribed(socketClient(app.url, await keyOf('gift:give')), 'subscription { giftGiven }');
    expect(await refused.next()).toMatchObject({ errors: [{ extensions: { code: 'INSUFFICIENT_SCOPE', scope: 'gift:see' } }] });
  });

  it('inherit handlers, which the rule of their class covers', async () => {
    const count = async (headers: Record<string, string>): Promise<Response> => fetch(`${app.url}/gift-count`, { headers });
    const allowed = await count({ ...(await keyOf('gift:see')) });
    expect({ status: allowed.status, body: await allowed.json() }).toEqual({ status: 200, body: { count: 1 } });
    expect((await count({ ...(await keyOf('gift:give')) })).status).toBe(403);
    expect((await count({})).status).toBe(401);
  });

  it('push updates mapped from the core’s events, and unsubscribe when the last client leaves', async () => {
    const bob = await fixture.user({ sats: 100 });
    const listeners = (): number => listenerCount(app, 'transaction.changed', alice.accountId);
    const before = listeners();
    const client = socketClient(app.url, await keyOf('tipping:read'));
    let tips: Subscribed | undefined;
    await untilListening(app, 'transaction.changed', alice.accountId, () => {
      tips = new Subscribed(client, 'subscription { tipReceived { memo sats } }');
    });
    await bob.pay((await alice.invoice(5, 'no gratuity')).paymentRequest);
    await bob.pay((await alice.invoice(6, 'Tip: thanks')).paymentRequest);
    expect(await tips?.next()).toEqual({ tipReceived: { memo: 'Tip: thanks', sats: 6 } });
    tips?.stop();
    await eventually(() => listeners() === before);
    await client.dispose();
  });

  it('guard REST handlers by scopes', async () => {
    expect((await post(`${app.url}/gifts`, { what: 'x' }, await keyOf('gift:see'))).status).toBe(403);
    expect((await post(`${app.url}/gifts`, { what: 'x' })).status).toBe(401);
  });
});
