import { createHash, createHmac } from 'node:crypto';
import { base64url, createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose';
import { eventually } from '../../../src/testing/eventually.js';
import { request } from '../../support/http.js';
import { newPkce, outcomeOf, REFUSED, saidBy, type Row, type Site, type Tokens } from './target.js';

/** Time separates a repetition from a retry: longer than any server permits retries. */
const LATE_SECONDS = 61;
/** A server may keep a token in its memory for a moment. */
const dies = (site: Site, token: string): Promise<unknown> => eventually(async () => !(await site.works(token)), 60_000);

/** What a refresh is answered with: an error, or undefined. */
const errorOf = async (site: Site, token: string, app = site.client): Promise<unknown> => saidBy(await app.refresh(token))[1];
const nextOf = async (site: Site, token: string): Promise<Tokens> => (await site.client.refresh(token)).body as Tokens;

export const TOKENS: readonly Row[] = [
  [
    'A-09: a code injected into another client is refused there, and stays valid for its own',
    async (site) => {
      const [app, thief] = [site.client, site.second];
      const code = await app.code();
      const stolen = { redirect_uri: app.registered.redirectUri, code_verifier: app.pkce.verifier };
      expect(saidBy(await thief.exchange(code, stolen))).toEqual(REFUSED);
      const { status, body } = await app.exchange(code);
      expect(status).toBe(200);
      // After its use, another client's attempt ends nothing either.
      expect(saidBy(await thief.exchange(code, stolen))).toEqual(REFUSED);
      expect(await site.works((body as Tokens).access_token)).toBe(true);
    },
  ],
  [
    'A-10: a replayed code ends every token that was issued for it',
    async (site) => {
      const app = site.client;
      const code = await app.code();
      const first = (await app.exchange(code)).body as Tokens;
      const next = (await app.refresh(first.refresh_token)).body as Tokens;
      expect(await site.works(first.access_token)).toBe(true);
      expect(saidBy(await app.exchange(code))).toEqual(REFUSED);
      for (const { access_token: token } of [first, next]) await dies(site, token);
      for (const { refresh_token: token } of [next, first]) expect(saidBy(await app.refresh(token))).toEqual(REFUSED);
    },
  ],
  [
    'A-11: of fifty redemptions at once, over all processes, at most one gets tokens, and those end',
    async (site) => {
      const app = site.client;
      const code = await app.code();
      const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => app.exchange(code, {}, n)));
      const right = answers.filter(({ status }) => status === 200);
      expect(right.length).toBeLessThanOrEqual(1);
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(50 - right.length);
      for (const { body } of right) await dies(site, (body as Tokens).access_token);
    },
  ],
  [
    'A-12: PKCE can be neither removed nor added',
    async (site) => {
      for (const app of [site.client, site.native])
        expect(saidBy(await app.exchange(await app.code(), { code_verifier: undefined }))).toEqual(REFUSED);
      const free = { code_challenge: undefined, code_challenge_method: undefined };
      const browser = await site.personsBrowser();
      expect(outcomeOf(await browser.get(site.native.url(free)))).toBe('invalid_request');
      // Where a client with a secret need not use it, a verifier without a challenge is a sign of an injected code.
      const begun = await browser.get(site.client.url(free));
      if (outcomeOf(begun) !== 'asked') return;
      const code = (await site.client.agree(begun, browser)).searchParams.get('code') ?? '';
      expect(saidBy(await site.client.exchange(code))).toEqual(REFUSED);
    },
  ],
  [
    'A-14: a wrong verifier is refused and burns the code',
    async (site) => {
      const app = site.client;
      for (const verifier of ['a'.repeat(42), 'a'.repeat(129), `${'a'.repeat(42)}!`, newPkce().verifier, app.pkce.challenge]) {
        const code = await app.code();
        expect([verifier, (await app.exchange(code, { code_verifier: verifier })).status]).toEqual([verifier, 400]);
        expect([verifier, 'again', ...saidBy(await app.exchange(code))]).toEqual([verifier, 'again', ...REFUSED]);
      }
    },
  ],
  [
    'A-26: a late replay of a replaced refresh token, by thief or owner, ends the whole family',
    async (site) => {
      const { refresh_token: stolen } = await site.client.connect();
      const owner = await nextOf(site, stolen);
      expect(owner.refresh_token).not.toBe(stolen);
      await site.target.pass(LATE_SECONDS);
      expect(await errorOf(site, stolen)).toBe('invalid_grant');
      expect(await errorOf(site, owner.refresh_token)).toBe('invalid_grant');
      await dies(site, owner.access_token);
    },
  ],
  [
    'A-27: twenty refreshes at once by an honest client, over all processes, get one pair that works',
    async (site) => {
      const { refresh_token: token } = await site.client.connect();
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => site.client.refresh(token, {}, n)));
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
      const pairs = answers.map(({ body }) => body as Tokens);
      expect(new Set(pairs.map(({ access_token: access, refresh_token: refresh }) => `${access} ${refresh}`)).size).toBe(1);
      expect(await site.works(pairs[0]?.access_token ?? '', 1)).toBe(true);
      expect(await errorOf(site, pairs[0]?.refresh_token ?? '')).toBeUndefined();
    },
  ],
  [
    'A-28: a retry after the successor was used is refused and ends nothing; a late one ends the family',
    async (site) => {
      const { refresh_token: first } = await site.client.connect();
      const second = await nextOf(site, first);
      const third = await nextOf(site, second.refresh_token);
      expect(await errorOf(site, first)).toBe('invalid_grant');
      expect(await site.works(third.access_token)).toBe(true);
      await site.target.pass(LATE_SECONDS);
      expect(await errorOf(site, first)).toBe('invalid_grant');
      await dies(site, third.access_token);
    },
  ],
  [
    'A-29: another client can neither use nor end a refresh token, nor a replaced one',
    async (site) => {
      const { refresh_token: first } = await site.client.connect();
      expect(await errorOf(site, first, site.second)).toBe('invalid_grant');
      await site.second.revoke(first);
      const second = await nextOf(site, first);
      await site.target.pass(LATE_SECONDS);
      expect(await errorOf(site, first, site.second)).toBe('invalid_grant');
      expect(await errorOf(site, second.refresh_token)).toBeUndefined();
    },
  ],
  [
    'A-30: a refresh does not widen the scope, and one that tries uses up nothing',
    async (site) => {
      const { refresh_token: first, scope = '' } = await site.client.connect();
      let token = first;
      for (const wider of [`${scope} admin`, 'admin', `${scope} write read`]) {
        const { status, body } = await site.client.refresh(token, { scope: wider });
        const next = body as Partial<Tokens>;
        // What a server does not know it may leave out.
        if (status === 200) expect(scope.split(' ')).toEqual(expect.arrayContaining(next.scope?.split(' ') ?? ['none']));
        else expect([status, (body as { error: string }).error]).toEqual([400, 'invalid_scope']);
        token = next.refresh_token ?? token;
      }
      const narrow = (await site.client.refresh(token, { scope: 'openid' })).body as Tokens;
      expect(narrow.scope).toBe('openid');
    },
  ],
  [
    'A-32: one kind of secret is not accepted as another',
    async (site) => {
      const app = site.client;
      const code = await app.code();
      const tokens = await app.connect();
      expect(await site.works(tokens.access_token)).toBe(true);
      for (const wrong of [tokens.refresh_token, tokens.id_token, code, app.registered.secret ?? '', `${tokens.access_token}x`])
        expect((await site.userinfo(wrong)).status).toBe(401);
      for (const wrong of [tokens.access_token, tokens.id_token, code]) expect(await errorOf(site, wrong)).toBe('invalid_grant');
      for (const wrong of [tokens.access_token, tokens.refresh_token, tokens.id_token])
        expect(saidBy(await app.exchange(wrong))).toEqual(REFUSED);
    },
  ],
  [
    'A-42: an ID token is signed by a published key, for an hour at most, and no forged one is a hint',
    async (site) => {
      const tokens = await site.client.connect({ nonce: 'once' });
      const keys = (await request(site.found.jwks_uri)).body as JSONWebKeySet;
      const { payload, protectedHeader } = await jwtVerify(tokens.id_token, createLocalJWKSet(keys), {
        issuer: site.found.issuer,
        audience: site.client.registered.id,
      });
      expect([payload['nonce'], protectedHeader.alg, typeof protectedHeader.kid]).toEqual(['once', 'RS256', 'string']);
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(3_600);
      const half = createHash('sha256').update(tokens.access_token).digest().subarray(0, 16).toString('base64url');
      expect([half, undefined]).toContain(payload['at_hash']);
      for (const key of keys.keys) for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(key).not.toHaveProperty(secret);
      const encode = (part: object): string => base64url.encode(JSON.stringify(part));
      const claims = decodeJwt(tokens.id_token);
      const [header = '', , signature = ''] = tokens.id_token.split('.');
      const confused = `${encode({ alg: 'HS256', kid: protectedHeader.kid })}.${encode(claims)}`;
      const forged = {
        unsigned: `${encode({ alg: 'none' })}.${encode(claims)}.`,
        'signed with the public key': `${confused}.${createHmac('sha256', keys.keys[0]?.n ?? '')
          .update(confused)
          .digest('base64url')}`,
        changed: `${header}.${encode({ ...claims, sub: 'another' })}.${signature}`,
        longer: `${tokens.id_token}x`,
        'no token': 'x.y.z',
      };
      const browser = await site.personsBrowser();
      for (const [what, hint] of Object.entries(forged))
        expect([what, outcomeOf(await browser.get(site.client.url({ prompt: 'none', id_token_hint: hint })))]).toEqual([
          what,
          'invalid_request',
        ]);
    },
  ],
  [
    'A-46: a token or a secret in the address is not accepted',
    async (site) => {
      const { access_token: token, refresh_token: refresh } = await site.client.connect();
      const { id, secret = '' } = site.client.registered;
      expect((await request(`${site.endpoint('userinfo')}?access_token=${token}`)).status).toBeGreaterThanOrEqual(400);
      const inQuery = new URLSearchParams({ client_id: id, client_secret: secret }).toString();
      const sent = { grant_type: 'refresh_token', refresh_token: refresh };
      expect((await site.post(`${site.endpoint('token')}?${inQuery}`, sent)).status).toBeGreaterThanOrEqual(400);
      // Nothing was used up.
      expect(await errorOf(site, refresh)).toBeUndefined();
    },
  ],
  [
    'A-47: tokens are random: none occurs twice, and each has at least 160 bits of evenly spread digits',
    async (site) => {
      let { refresh_token: next } = await site.client.connect();
      const tokens: string[] = [];
      for (let n = 0; n < 60; n++) {
        const { access_token: access, refresh_token: refresh = next } = await nextOf(site, next);
        tokens.push(access);
        if (refresh !== next) tokens.push(refresh);
        next = refresh;
      }
      expect(new Set(tokens).size).toBe(tokens.length);
      // The places that differ between tokens hold as much as their digits vary.
      const access = tokens.filter((_, n) => n % 2 === 0);
      const places = Array.from({ length: access[0]?.length ?? 0 }, (_, at) => new Set(access.map((token) => token[at])).size);
      expect(places.reduce((bits, digits) => bits + Math.log2(digits), 0)).toBeGreaterThan(160);
    },
  ],
  [
    'A-48: a lifetime is not longer than announced, and max_age=0 asks for the password again',
    async (site) => {
      const { expires_in: seconds } = await site.client.connect();
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(3_600);
      const browser = await site.personsBrowser();
      const asked = async (maxAge: string): Promise<boolean> =>
        (await site.page(await browser.get(site.client.url({ max_age: maxAge })), browser)).text.includes('type="password"');
      expect([await asked('0'), await asked('36000')]).toEqual([true, false]);
      expect(outcomeOf(await browser.get(site.client.url({ max_age: '-1' })))).toBe('invalid_request');
    },
  ],
  [
    'A-50: no token is valid after a revocation that ran beside a refresh',
    async (site) => {
      for (let round = 0; round < 12; round++) {
        const tokens = await site.client.connect();
        const [{ body }] = await Promise.all([
          site.client.refresh(tokens.refresh_token, {}, round),
          site.client.revoke(tokens.refresh_token, round + 1),
        ]);
        const next = body as Partial<Tokens>;
        for (const token of [tokens.access_token, next.access_token]) if (token) expect(await site.works(token, round + 1)).toBe(false);
        for (const token of [tokens.refresh_token, next.refresh_token]) if (token) expect(await errorOf(site, token)).toBe('invalid_grant');
      }
    },
  ],
];
