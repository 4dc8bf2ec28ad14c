import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, Get, Module, Query as QueryParameter, type Type } from '@nestjs/common';
import { Query, Resolver } from '@nestjs/graphql';
import { MinLength } from 'class-validator';
import {
  AnyCredential,
  createApp,
  loadConfig,
  Metrics,
  Public,
  RateLimit,
  RateLimiter,
  type Extension,
  type ExtensionRateLimit,
} from '../../src/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { createTestDatabase } from '../support/database.js';
import { Fixture, type Person } from '../support/fixture.js';
import { graphql } from '../support/graphql.js';
import { request, type HttpAnswer } from '../support/http.js';

const folder = mkdtempSync(join(tmpdir(), 'sluice-rate-limit-'));
afterAll(() => rmSync(folder, { recursive: true }));

const rateLimit = (word: string, more: Partial<ExtensionRateLimit> = {}): ExtensionRateLimit => ({
  name: `acme.${word}`,
  limit: 3,
  windowSeconds: 60,
  counts: word,
  ...more,
});

@Controller('acme')
class AcmeController {
  constructor(private readonly limiter: RateLimiter) {}

  @Get('open')
  @Public()
  @RateLimit('acme.perAddress')
  open(): string {
    return 'open';
  }

  @Get('mine')
  @AnyCredential()
  @RateLimit('acme.mine', 'acme.byKey')
  mine(): string {
    return 'mine';
  }

  /** Only wrong words count. */
  @Get('word')
  @Public()
  async word(@QueryParameter('word') word = ''): Promise<string> {
    if (word === 'right') return 'right';
    return (await this.limiter.consume('acme.guess', word)).isBlocked ? 'later' : 'wrong';
  }
}

@Resolver()
class AcmeResolver {
  @Query()
  @Public()
  @RateLimit('acme.gift')
  gift(): string {
    return 'a book';
  }
}

@Module({ controllers: [AcmeController], providers: [AcmeResolver] })
class AcmeModule {}

const schema = join(folder, 'acme.graphql');
writeFileSync(schema, 'extend type Query { gift: String }');
const acme: Extension = {
  name: 'acme',
  module: AcmeModule,
  schema,
  rateLimits: [
    rateLimit('perAddress', { per: 'address' }),
    rateLimit('mine', { limit: 4 }),
    rateLimit('byKey', { per: 'principal' }),
    rateLimit('guess', { shared: true }),
    rateLimit('gift'),
  ],
};

describe('the rate limits of an extension', () => {
  let app: TestApp;
  let alice: Person;
  let addresses = 0;
  beforeAll(async () => {
    app = await createTestApp({ extensions: [acme], env: { TRUST_PROXY: '1', RATE_LIMIT_STORE: 'postgres', ACME_THROTTLE_GIFT: '2/30' } });
    alice = await new Fixture(app).user();
  });
  afterAll(() => app.close());

  const elsewhere = (): Record<string, string> => ({ 'x-forwarded-for': `203.0.113.${++addresses}` });
  const get = (path: string, headers: Record<string, string> = {}): Promise<HttpAnswer> =>
    request(`${app.url}/acme/${path}`, { headers: { ...elsewhere(), ...headers } });

  it('refuse with 429, the headers of a rate limit and the body of the core', async () => {
    const here = elsewhere();
    for (let i = 0; i < 3; i++) expect((await get('open', here)).status).toBe(200);
    const { status, headers, body } = await get('open', here);
    expect(status).toBe(429);
    expect(body).toMatchObject({ error: { code: 429, status: 'TOO_MANY_REQUEST' } });
    expect(headers.get('ratelimit-policy')).toContain('"acme.per-address";q=3;w=60');
    expect(headers.get('ratelimit')).toMatch(/"acme\.per-address";r=0;t=\d+/);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(30);
    expect((await get('open')).status).toBe(200);
    expect(await (await fetch(`${app.url}/metrics`)).text()).toContain('sluice_rate_limit_refused_total{policy="acme.perAddress"} 1');
  });

  it('count a person with all credentials, or each credential, from any address', async () => {
    for (let i = 0; i < 3; i++) expect((await get('mine', alice.as('read'))).status).toBe(200);
    const ofKey = await get('mine', alice.as('read'));
    expect([ofKey.status, ofKey.headers.get('ratelimit')]).toEqual([429, expect.stringContaining('"acme.by-key";r=0')]);
    const ofPerson = await get('mine', alice.as('write'));
    expect([ofPerson.status, ofPerson.headers.get('ratelimit')]).toEqual([429, expect.stringContaining('"acme.mine";r=0')]);
  });

  it('refuse a GraphQL field, with the value that the operator has set', async () => {
    const gift = (): ReturnType<typeof graphql> => graphql(app.url, '{ one: gift two: gift }', {}, elsewhere());
    const here = elsewhere();
    const twice = await graphql(app.url, '{ one: gift two: gift }', {}, here);
    expect(twice).toEqual({ data: { one: 'a book', two: 'a book' } });
    const { data, errors } = await graphql(app.url, '{ gift }', {}, here);
    expect([data, errors?.[0]?.extensions]).toMatchObject([{ gift: null }, { code: 'TOO_MANY_REQUEST' }]);
    expect((await gift()).errors).toBeUndefined();
  });

  it('count what a service counts, in the database where all processes share them', async () => {
    const failures = async (): Promise<string | undefined> =>
      /^sluice_rate_limit_store_failures_total (\d+)$/m.exec(await app.get(Metrics).text())?.[1];
    let said: string[] = [];
    // A call that waited 250 ms for a busy database counts in memory alone: then all are repeated with another word.
    for (let [round, before] = [0, '']; before !== (await failures()); round++) {
      [said, before] = [[], (await failures()) ?? ''];
      for (let i = 0; i < 5; i++) said.push((await get(`word?word=wrong-${round}`)).text);
    }
    expect(said).toEqual(['wrong', 'wrong', 'wrong', 'later', 'later']);
    expect((await get('word?word=right')).text).toBe('right');
    expect((await app.pool.query('SELECT hits FROM rate_limit_window ORDER BY ends_at DESC LIMIT 1')).rows).toEqual([{ hits: 3 }]);
    await expect(app.get(RateLimiter).consume('acme.none', 'all')).rejects.toThrow(
      /^There is no rate limit policy "acme.none"; there are address, principal, .*, acme.gift$/,
    );
  });
});

describe('an extension is refused for a rate limit', () => {
  const refusal = async (more: Partial<Extension>, env: Record<string, string> = {}): Promise<string> => {
    const config = loadConfig({ LOG_LEVEL: 'silent', SECRET_KEY: 'x'.repeat(32) }, () => '');
    const extension = { name: 'acme', module: class EmptyModule {}, ...more };
    const started = createApp({ config, env, connection: { host: join(folder, 'nowhere') }, extensions: [extension] });
    return started.then(
      () => 'it started',
      (error: Error) => error.message,
    );
  };
  const named = (name: string, more: Partial<ExtensionRateLimit> = {}): Partial<Extension> => ({
    rateLimits: [{ ...rateLimit('gift', more), name: name as ExtensionRateLimit['name'] }],
  });

  it.each(['thanks', 'address', 'other.thanks', 'acme.', 'acme.Thanks', 'acme.a-b', 'acme.a.b', `acme.${'a'.repeat(33)}`])(
    'that is called %j',
    async (name) => {
      expect(await refusal(named(name))).toBe(
        `Extension acme must not define the rate limit "${name}": write "acme." and a word in camel case`,
      );
    },
  );

  it.each<[more: Partial<ExtensionRateLimit>, sentence: string]>([
    [{ limit: 0 }, 'with a limit or a window that is no whole number above 0'],
    [{ limit: 1.5 }, 'with a limit or a window that is no whole number above 0'],
    [{ windowSeconds: -1 }, 'with a limit or a window that is no whole number above 0'],
    [{ counts: ' ' }, 'without saying what it counts'],
    [{ per: 'browser' as never }, 'per browser: use account, principal or address'],
  ])('%j', async (more, sentence) => {
    expect(await refusal(named('acme.gift', more))).toBe(`Extension acme defines the rate limit "acme.gift" ${sentence}`);
  });

  it('that it has twice', async () => {
    expect(await refusal({ rateLimits: [rateLimit('gift'), rateLimit('gift')] })).toBe(
      'Extension acme defines the rate limit "acme.gift" twice',
    );
  });

  it('whose variable is a setting too, or has no valid value', async () => {
    class AcmeSettings {
      @MinLength(1) ACME_THROTTLE_GIFT = 'x';
    }
    expect(await refusal({ rateLimits: [rateLimit('gift')], settings: AcmeSettings })).toBe(
      'Extension acme must not read the variable ACME_THROTTLE_GIFT as a setting: it sets a rate limit',
    );
    expect(await refusal({ rateLimits: [rateLimit('gift')] }, { ACME_THROTTLE_GIFT: 'many' })).toMatch(
      /ACME_THROTTLE_GIFT must be <calls>\/<seconds>, for example 20\/3600 \(extension acme\)$/,
    );
  });

  it('that a handler names and no extension declares', async () => {
    @Controller('acme')
    class MistypedController {
      @Get('gift')
      @Public()
      @RateLimit('acme.gitf')
      gift(): string {
        return 'a book';
      }
    }
    const module = { module: class AcmeGiftModule {} as Type, controllers: [MistypedController] };
    const database = await createTestDatabase();
    const started = createTestApp({ database, extensions: [{ name: 'acme', module, rateLimits: [rateLimit('gift')] }] });
    await expect(started).rejects.toThrow(
      'Extension acme does not start: Handlers with an unknown rate limit policy:\n  MistypedController.gift: there is no policy "acme.gitf"',
    );
    await database.drop();
  });
});
