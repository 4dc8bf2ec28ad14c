import { randomBytes } from 'node:crypto';
import { eventually } from '../../../src/testing/eventually.js';
import { hiddenFields } from '../../support/browser-session.js';
import { demoPerson, personIn } from '../../support/demo-person.js';
import { graphql, type CredentialHeaders } from '../../support/graphql.js';
import { post, request } from '../../support/http.js';
import { RawSocket } from '../../support/raw-socket.js';
import type { Sluice } from './servers.js';
import { App, outcomeOf, Site, type Tokens } from './target.js';

/** An attack on what only Sluice has, where its operator must act, or where its log or database shows the outcome. */
export type OwnRow = readonly [title: string, attack: (site: Site, sluice: Sluice) => Promise<void>];

const READ = '{ me { defaultAccount { wallets { balance } } } }';
const RECEIVE = 'mutation ($input: LnInvoiceCreateInput!) { lnInvoiceCreate(input: $input) { errors { code } invoice { paymentHash } } }';
const WRITE = 'mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { code } } }';

/** Which of reading, receiving and sending a token of alice permits. */
async function powers({ one, two }: Sluice, token: string): Promise<string[]> {
  const as = { 'oauth2-token': token };
  const walletId = personIn(one, 'alice').wallets.BTC;
  const { paymentRequest } = await demoPerson(two, 'bob').invoice(1);
  const done: string[] = [];
  if ((await graphql(two.url, READ, {}, as)).data?.me?.defaultAccount) done.push('read');
  if ((await graphql(one.url, RECEIVE, { input: { walletId, amount: 1 } }, as)).data?.lnInvoiceCreate?.invoice) done.push('receive');
  const paid = await graphql(one.url, WRITE, { input: { walletId, paymentRequest } }, as);
  if (paid.data?.lnInvoicePaymentSend?.status === 'SUCCESS') done.push('write');
  return done;
}

export const newApp = async (site: Site, sluice: Sluice, ...options: string[]): Promise<App> =>
  new App(site, await sluice.register(...options));
export const because = ['--because', 'a test'] as const;

/** Whether each process answers `me`. */
const works = async ({ one, two }: Sluice, token: string): Promise<boolean[]> =>
  Promise.all([one, two].map(async ({ url }) => (await graphql(url, '{ me { id } }', {}, { 'oauth2-token': token })).data != null));

/** After `end` both processes refuse the token, which both have had in their memory, and its refresh token is dead. */
async function ends(sluice: Sluice, app: App, end: () => Promise<unknown>): Promise<void> {
  const tokens = await app.connect({ scope: 'read offline' });
  expect(await works(sluice, tokens.access_token)).toEqual([true, true]);
  await end();
  await eventually(async () => (await works(sluice, tokens.access_token)).every((alive) => !alive));
  for (const process of [0, 1]) expect((await app.refresh(tokens.refresh_token, {}, process)).status).toBeGreaterThanOrEqual(400);
}

export const MONEY: readonly OwnRow[] = [
  [
    'A-31: a token permits what its scopes say, and nothing else',
    async (site, sluice) => {
      const can = {
        read: ['read'],
        receive: ['receive'],
        write: ['receive', 'write'],
        'read receive': ['read', 'receive'],
        'read receive write': ['read', 'receive', 'write'],
      };
      for (const [scope, expected] of Object.entries(can)) {
        const { access_token: token } = await site.client.connect({ scope });
        expect([scope, await powers(sluice, token)]).toEqual([scope, expected]);
      }
    },
  ],
  [
    'A-30: no empty, foreign or lost scope ever gets at money',
    async (site, sluice) => {
      for (const scope of ['offline', 'openid', 'openid offline']) {
        const { access_token: token } = await site.client.connect({ scope });
        expect([scope, await powers(sluice, token)]).toEqual([scope, []]);
      }
      const browser = await site.personsBrowser();
      expect(outcomeOf(await browser.get(site.client.url({ scope: undefined })))).toBe('invalid_scope');
      // A form with boxes that the page does not have.
      const asked = { scope: 'read receive' };
      const page = async () => site.pageAfterSignIn(await browser.get(site.client.url(asked)), browser);
      const more = await browser.submit(await page(), { decision: 'allow', scope: ['read', 'write', 'admin', '__proto__'] });
      const tokens = (await site.client.exchange(new URL(more.location).searchParams.get('code') ?? '', {})).body as Tokens;
      expect([tokens.scope, await powers(sluice, tokens.access_token)]).toEqual(['read', ['read']]);
      for (const scope of [[], ['write', 'keys']]) {
        const none = await browser.submit(await page(), { decision: 'allow', scope });
        expect([none.status, none.location]).toEqual([422, '']);
      }
      const emptied = sluice.pool.query(`UPDATE oauth_grant SET scopes = '{}' WHERE id = (SELECT id FROM oauth_grant LIMIT 1)`);
      await expect(emptied).rejects.toThrow('oauth_grant_scopes_some');
    },
  ],
  [
    'A-30: a scope that the operator takes from a client is gone from its tokens, old and new',
    async (site, sluice) => {
      const app = await newApp(site, sluice);
      const tokens = await app.connect({ scope: 'read write offline' });
      await sluice.one.sluice(
        'client',
        'update',
        app.registered.id,
        '--name',
        'Corner Coffee',
        '--redirect-uri',
        app.registered.redirectUri,
        '--scope',
        'offline',
        ...because,
      );
      const refreshed = (await app.refresh(tokens.refresh_token)).body as Tokens;
      expect(await powers(sluice, refreshed.access_token)).toEqual([]);
      expect(await powers(sluice, tokens.access_token)).toEqual([]);
    },
  ],
  [
    'A-32: the API takes an access token only, by HTTP and on a socket, and one credential at a time',
    async (site, { one, two }) => {
      const browser = await site.personsBrowser();
      const code = await site.client.code({ scope: 'openid read offline' });
      const tokens = await site.client.connect({ scope: 'openid read offline' });
      const status = async (headers: CredentialHeaders): Promise<number> =>
        (await post(`${two.url}/graphql`, { query: '{ __typename }' }, headers)).status;
      const { access_token: token } = tokens;
      expect([await status({ 'oauth2-token': token }), await status({ authorization: `Bearer ${token}` })]).toEqual([200, 200]);
      const { all } = personIn(one, 'alice').apiKeys;
      for (const wrong of [
        tokens.refresh_token,
        tokens.id_token,
        code,
        site.client.registered.secret ?? '',
        all,
        browser.cookies.get('sluice') ?? '-',
        `${token}x`,
      ])
        expect([await status({ 'oauth2-token': wrong }), await status({ authorization: `Bearer ${wrong}` })]).toEqual([401, 401]);
      expect(await status({ 'x-api-key': token })).toBe(401);
      for (const scheme of ['', 'Token ', 'Basic ', 'Bearer Bearer ', 'Bearer, '])
        expect(await status({ authorization: `${scheme}${token}` })).toBe(401);
      expect(await status({ 'oauth2-token': token, authorization: `Bearer ${token}` })).toBe(400);
      const closedWith = async (payload: CredentialHeaders): Promise<number> => {
        const raw = await RawSocket.open(two.url);
        raw.send({ type: 'connection_init', payload });
        return (await raw.closed).code;
      };
      await (await RawSocket.admitted(two.url, { Authorization: `Bearer ${token}` })).leave();
      expect(await closedWith({ Authorization: `Bearer ${tokens.refresh_token}` })).toBe(4401);
      expect(await closedWith({ Authorization: `Bearer ${token}`, 'Oauth2-Token': token })).toBe(4400);
    },
  ],
  [
    'A-43: disconnected by its person, an app is refused on every process',
    async (site, sluice) => {
      const app = await newApp(site, sluice);
      const browser = await site.personsBrowser();
      const path = `/dashboard/apps/${app.registered.id}/disconnect`;
      await ends(sluice, app, async () => {
        expect((await browser.post(path, hiddenFields(await browser.get(path)))).location).toContain('disconnected=');
      });
      // The remembered consent has ended with it.
      expect(outcomeOf(await browser.get(app.url({ prompt: 'none', scope: 'read' })))).toBe('consent_required');
    },
  ],
  [
    'A-43: suspended by the operator, an app is refused on every process, until it is resumed',
    async (site, sluice) => {
      const app = await newApp(site, sluice);
      const { access_token: token } = await app.connect({ scope: 'read' });
      await ends(sluice, app, () => sluice.one.sluice('client', 'suspend', app.registered.id, ...because));
      await sluice.one.sluice('client', 'resume', app.registered.id, ...because);
      await eventually(async () => (await works(sluice, token)).every(Boolean));
    },
  ],
  [
    'A-43: a new password ends what an app has, and so does disabling its person',
    async (site, sluice) => {
      const { one, target } = sluice;
      const username = `p${randomBytes(5).toString('hex')}`;
      const user = `${username}@example.test`;
      let { password } = JSON.parse(await one.sluice('user', 'create', username, '--email', user, '--json')) as { password: string };
      for (const command of ['set-password', 'disable']) {
        const theirs = await Site.at({ ...target, person: { user, password } });
        await ends(sluice, new App(theirs, site.client.registered), async () => {
          const printed = JSON.parse(await one.sluice('user', command, username, ...because, '--json')) as { password?: string };
          password = printed.password ?? password;
        });
      }
    },
  ],
  [
    'A-44: nothing that an operator does has an address for others, and what is done is recorded without secrets',
    async (site, sluice) => {
      const { access_token: token } = await site.client.connect({ scope: 'read' });
      const keys: CredentialHeaders[] = [
        {},
        { 'oauth2-token': token },
        { authorization: `Bearer ${token}` },
        { 'x-api-key': personIn(sluice.one, 'alice').apiKeys.all },
      ];
      for (const path of ['/operator', '/operator/apps', '/admin', '/admin/clients', '/clients'])
        for (const headers of keys) expect([401, 403, 404]).toContain((await request(`${sluice.two.url}${path}`, { headers })).status);
      const { id, secret = '' } = site.second.registered;
      expect(await sluice.one.sluice('client', 'show', id, '--json')).not.toContain(secret);
      const { rows } = await sluice.pool.query('SELECT action, details::text AS details FROM operator_action WHERE subject = $1', [id]);
      expect(rows).toEqual([{ action: 'client register', details: expect.not.stringContaining(secret) as string }]);
    },
  ],
];
