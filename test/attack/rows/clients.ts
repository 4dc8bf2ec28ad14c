import { request as httpRequest } from 'node:http';
import { request, type HttpAnswer } from '../../support/http.js';
import { saidBy, type Row, type Site } from './target.js';

const base64 = (text: string | Buffer): string => Buffer.from(text as string).toString('base64');
const basic = (site: Site, text: string | Buffer): Promise<HttpAnswer> => ask(site, { authorization: `Basic ${base64(text)}` });
/** What a client that has authenticated asks for does not exist. */
const ask = (site: Site, headers: Readonly<Record<string, string>>, body = 'grant_type=x'): Promise<HttpAnswer> =>
  site.post(site.endpoint('token'), body, headers);
const IN = [400, 'unsupported_grant_type'];
/** A server that counts wrong secrets may say so instead. */
const isOut = ({ status, body }: HttpAnswer): boolean =>
  status === 429 || (status === 401 && (body as { error?: string }).error === 'invalid_client');

export const PAYLOADS = [
  "'",
  "' OR '1'='1",
  "'; DROP TABLE oauth_client; --",
  '\\',
  '$1',
  '%00',
  '\0',
  '\ud800',
  '{"a":1}',
  '🦊'.repeat(300),
  '%',
  '\r\n',
  'NULL',
];
const AUTHORIZE = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'nonce',
  'prompt',
  'max_age',
  'code_challenge',
  'code_challenge_method',
  'id_token_hint',
  'login_hint',
  'acr_values',
  'response_mode',
  'x',
];
const TOKEN = ['grant_type', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'scope', 'client_id', 'client_secret', 'x'];

/** A request whose Host is another's, which `fetch` does not send. */
const forged = (address: string): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const { hostname, port, pathname, search } = new URL(address);
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    };
    const call = httpRequest({ hostname, port, path: `${pathname}${search}`, headers }, (response) => {
      let text = JSON.stringify(response.headers);
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    call.on('error', reject).end();
  });

export const CLIENTS: readonly Row[] = [
  [
    'A-33: a refusal does not say whether the client exists',
    async (site) => {
      const { id } = site.client.registered;
      const answers = [await basic(site, 'unknown:x'), await basic(site, `${id}:x`)];
      expect(answers.every(isOut)).toBe(true);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    },
  ],
  [
    'A-35: of the Basic header exactly the right forms are accepted',
    async (site) => {
      const { id, secret = '' } = site.client.registered;
      const right = `${id}:${secret}`;
      const encode = (text: string): string => encodeURIComponent(text).replaceAll('_', '%5F').replaceAll('-', '%2D');
      expect(saidBy(await basic(site, right))).toEqual(IN);
      expect(saidBy(await basic(site, `${encode(id)}:${encode(secret)}`))).toEqual(IN);
      const wrong = [
        `${right}:junk`,
        `${right}\0`,
        `${right}%00`,
        `${right} `,
        `${right}%zz`,
        `${right}%`,
        `${id}${secret}`,
        `${id}:`,
        right.toUpperCase(),
        Buffer.concat([Buffer.from(right), Buffer.from([0xff])]),
        `${id}:${'x'.repeat(4_000)}`,
        ':',
        `:${secret}`,
      ];
      const encoded = base64(right);
      const headers = [
        ...wrong.map((text) => `Basic ${base64(text)}`),
        `xBASICx ${encoded}`,
        'Basic',
        `Basic ${encoded} x`,
        `Basic !${encoded}`,
        `Bearer ${encoded}`,
        `Basic ${encoded}, Basic ${encoded}`,
        encoded,
      ];
      for (const authorization of headers) {
        const answer = await ask(site, authorization === '' ? {} : { authorization });
        expect([authorization, ...saidBy(answer), isOut(answer)]).toEqual([authorization, ...saidBy(answer), true]);
      }
      const posted = `grant_type=x&client_id=${encodeURIComponent(id)}`;
      for (const body of [posted, `${posted}&client_secret=wrong`]) expect(isOut(await ask(site, {}, body))).toBe(true);
      const native = `grant_type=x&client_id=${encodeURIComponent(site.native.registered.id)}`;
      expect(saidBy(await ask(site, {}, native))).toEqual(IN);
      expect(isOut(await ask(site, {}, `${native}&client_secret=x`))).toBe(true);
    },
  ],
  [
    'A-37: text that a database could reject is never a fault of the server',
    async (site) => {
      const { id, secret = '' } = site.client.registered;
      const faults: string[] = [];
      const note = async (what: string, answer: Promise<{ readonly status: number }>): Promise<void> => {
        if ((await answer).status >= 500) faults.push(what);
      };
      for (const payload of PAYLOADS) {
        const text = Buffer.from(payload).toString();
        // Each payload comes from an address that has not asked before: a server may count requests.
        const headers = site.target.elsewhere();
        const browser = site.browser();
        await Promise.all([
          ...AUTHORIZE.map((name) => note(`${payload} as ${name}`, browser.get(site.client.url({ [name]: text }), headers))),
          ...TOKEN.map((name) =>
            note(
              `${payload} as ${name} at the token endpoint`,
              site.post(
                site.endpoint('token'),
                { grant_type: 'authorization_code', code: 'x', client_id: id, client_secret: secret, [name]: text },
                headers,
              ),
            ),
          ),
          note(`${payload} revoked`, site.client.revoke(text)),
          note(`${payload} in Basic`, basic(site, `${text}:${text}`)),
          note(`${payload} as Bearer`, site.userinfo(encodeURIComponent(text))),
        ]);
      }
      for (const query of ['client_id=%ff%fe&state=%c3%28', 'nonce=%ff', '%ff=%00'])
        await note(query, request(`${site.found.authorization_endpoint}?${query}`));
      expect(faults).toEqual([]);
    },
  ],
  [
    'A-41: large and numerous parameters are refused, and the server still answers',
    async (site) => {
      const send = (body: string): Promise<number> =>
        // A server may close the connection of a client that continues to send.
        ask(site, { authorization: site.client.basic }, body).then(
          ({ status }) => status,
          () => 413,
        );
      for (const body of [
        'x'.repeat(10_000_000),
        Array.from({ length: 5_000 }, (_, n) => `a${n}=1`).join('&'),
        Array(5_000).fill('a=1').join('&'),
      ])
        expect([400, 413]).toContain(await send(body));
      expect(saidBy(await ask(site, { authorization: site.client.basic }))).toEqual(IN);
    },
  ],
  [
    'A-45: a forged Host changes no address that the server names',
    async (site) => {
      const discovery = `${site.target.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
      for (const address of [discovery, site.client.url({ prompt: 'none' }), site.endpoint('userinfo')]) {
        const { text } = await forged(address);
        expect(text).not.toContain('evil');
      }
    },
  ],
  // The last of these: a server may make the address wait for what comes after.
  [
    'A-34: guessing secrets is slowed down, and does not lock out the right one',
    async (site) => {
      const { id, secret = '' } = site.client.registered;
      const statuses: number[] = [];
      for (let n = 0; n < 40; n++) statuses.push((await basic(site, `${id}:wrong-${n}`)).status);
      expect(statuses.at(-1)).toBe(429);
      expect(saidBy(await basic(site, `${id}:${secret}`))).toEqual(IN);
    },
  ],
];
