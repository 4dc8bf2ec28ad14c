// An app on next-auth 4 and one on Auth.js 5: their own routes, over HTTP.
import { createServer } from 'node:http';
import { Auth } from '@auth/core';
import NextAuth from 'next-auth';
import { allow, id, issuer, parametersOf, plain, port, post, revokeByHand, scope, secret, tokenEndpoint } from './tour.mjs';

// Where next-auth 4 is; Auth.js 5 goes by the request.
process.env.NEXTAUTH_URL = `http://localhost:${port}`;

// Its `exports` name no core; this handler is what a file under pages/api has.
const nextAuth4 = NextAuth.default ?? NextAuth;
/** Set when the access token is to count as expired. */
let isExpired = false;

/** As both documentations show it: the tokens are kept in the cookie of the session, and refreshed by hand. */
const callbacks = {
  async jwt({ token, account }) {
    if (account) return { ...token, ...plain(account) };
    if (!isExpired) return token;
    return { ...token, ...plain(await post(tokenEndpoint, { grant_type: 'refresh_token', refresh_token: token.refresh })) };
  },
  session: ({ session, token }) => ({ ...session, access: token.access, refresh: token.refresh }),
};
const common = { secret: 'a secret of the app', callbacks, logger: { error: console.error, warn() {}, debug() {} } };
const provider = { id: 'sluice', name: 'Wallet', clientId: id, clientSecret: secret };
const nextAuth4Options = {
  ...common,
  providers: [
    {
      ...provider,
      type: 'oauth',
      wellKnown: `${issuer}/.well-known/openid-configuration`,
      idToken: false,
      authorization: { params: { scope: 'read offline' } },
      profile: ({ sub }) => ({ id: sub }),
    },
  ],
};
const authJs5Options = {
  ...common,
  basePath: '/auth',
  trustHost: true,
  providers: [{ ...provider, type: 'oidc', issuer, authorization: { params: { scope } } }],
};

async function readBody(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

const cookiesIn = (header = '') =>
  Object.fromEntries(header.split('; ').map((pair) => [pair.split('=')[0], decodeURIComponent(pair.slice(pair.indexOf('=') + 1))]));

/** What Next.js adds to a request and a response of node:http. */
async function serveNextAuth4(request, response, url) {
  const query = { ...parametersOf(url), nextauth: url.pathname.split('/').slice(3) };
  const body = Object.fromEntries(new URLSearchParams(await readBody(request)));
  Object.assign(request, { query, cookies: cookiesIn(request.headers.cookie), body });
  Object.assign(response, {
    status: (code) => Object.assign(response, { statusCode: code }),
    send: (sent) => response.end(typeof sent === 'object' ? JSON.stringify(sent) : sent),
    json: (sent) => response.end(JSON.stringify(sent)),
  });
  await nextAuth4(request, response, nextAuth4Options);
}

async function serveAuthJs5(request, response, url) {
  const { method, headers } = request;
  const body = method === 'POST' ? await readBody(request) : undefined;
  const answer = await Auth(new Request(url, { method, headers, body }), authJs5Options);
  response.writeHead(answer.status, [...answer.headers].flat());
  response.end(await answer.text());
}

/** The app of next-auth 4 under /api/auth, and of Auth.js 5 under /auth. */
export const app = createServer((request, response) => {
  const url = new URL(request.url, `http://${request.headers.host}`);
  const serve = url.pathname.startsWith('/api/') ? serveNextAuth4 : serveAuthJs5;
  serve(request, response, url).catch((error) => response.writeHead(500).end(String(error.stack)));
});

/** A person's browser at that app. */
class Visitor {
  cookies = new Map();
  constructor(base) {
    this.base = base;
  }

  async send(path, form) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const body = form && new URLSearchParams(form);
    const response = await fetch(new URL(path, this.base), {
      method: form ? 'POST' : 'GET',
      body,
      headers: { cookie },
      redirect: 'manual',
    });
    for (const header of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(header);
      this.cookies.set(name, value);
    }
    return response;
  }
}

export async function withAuthPages(path) {
  const visitor = new Visitor(`http://localhost:${port}${path}/`);
  const session = async () => {
    const { access, refresh, user } = await (await visitor.send('session')).json();
    return { access, refresh, user };
  };
  return {
    signIn: async () => {
      isExpired = false;
      const { csrfToken } = await (await visitor.send('csrf')).json();
      const begun = await visitor.send('signin/sluice', { csrfToken, callbackUrl: `http://localhost:${port}/` });
      const back = await visitor.send(await allow(begun.headers.get('location')));
      if (back.headers.get('location') !== `http://localhost:${port}/`) throw new Error(`It ended at ${back.headers.get('location')}`);
      return session();
    },
    refresh: () => {
      isExpired = true;
      return session();
    },
    revoke: revokeByHand,
  };
}
