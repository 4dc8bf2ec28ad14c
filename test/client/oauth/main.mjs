// OAuth libraries of other people as released, each as its documentation shows it: sign in, exchange, call the API, refresh, call, revoke.
// Prints their results.
import { CodeChallengeMethod, generateCodeVerifier, generateState, OAuth2Client } from 'arctic';
import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { generators, Issuer } from 'openid-client';
import PassportOAuth2 from 'passport-oauth2';
import PassportOpenID from 'passport-openidconnect';
import { AuthorizationCode } from 'simple-oauth2';
import { app, withAuthPages } from './auth-js.mjs';
import {
  allow,
  authorizationEndpoint,
  callback,
  id,
  issuer,
  parametersOf,
  plain,
  port,
  publicClient,
  revocationEndpoint,
  revokeByHand,
  scope,
  secret,
  tokenEndpoint,
  tour,
} from './tour.mjs';
import { oauth4webapiWithDpop } from './dpop.mjs';

async function openidClient5() {
  const { Client } = await Issuer.discover(issuer);
  const client = new Client({ client_id: id, client_secret: secret, redirect_uris: [callback], response_types: ['code'] });
  return {
    signIn: async () => {
      const checks = { state: generators.state(), nonce: generators.nonce(), code_verifier: generators.codeVerifier() };
      const code_challenge = generators.codeChallenge(checks.code_verifier);
      const { state, nonce } = checks;
      const url = client.authorizationUrl({ scope, state, nonce, code_challenge, code_challenge_method: 'S256' });
      const parameters = client.callbackParams((await allow(url)).href);
      return plain(await client.callback(callback, parameters, checks));
    },
    refresh: async (token) => plain(await client.refresh(token)),
    revoke: (token) => client.revoke(token),
  };
}

/** What passport does with a strategy: on the way out the session remembers, on the way back it is compared. */
async function withPassport(strategy) {
  const session = {};
  const authenticate = (query) =>
    new Promise((resolve, reject) => {
      const fail = (why) => reject(new Error(JSON.stringify(why)));
      Object.assign(Object.create(strategy), { redirect: resolve, success: resolve, error: reject, fail }).authenticate({
        session,
        query,
        headers: {},
      });
    });
  return {
    signIn: async () => authenticate(parametersOf(await allow(await authenticate({})))),
    // As passport-oauth2-refresh does it, by the client that the strategy has.
    refresh: (token) =>
      new Promise((resolve, reject) => {
        const done = (error, access, refresh) => (error ? reject(new Error(error.data)) : resolve({ access, refresh }));
        strategy._oauth2.getOAuthAccessToken(token, { grant_type: 'refresh_token' }, done);
      }),
    revoke: revokeByHand,
  };
}

const passportOptions = {
  authorizationURL: authorizationEndpoint,
  tokenURL: tokenEndpoint,
  clientID: id,
  clientSecret: secret,
  callbackURL: callback,
};

const passportOAuth2 = () =>
  withPassport(
    new PassportOAuth2({ ...passportOptions, scope: ['read', 'offline'], state: true, pkce: true }, (access, refresh, _profile, done) =>
      done(null, { access, refresh }),
    ),
  );

const passportOpenID = () =>
  withPassport(
    new PassportOpenID(
      { ...passportOptions, issuer, userInfoURL: `${issuer}/userinfo`, scope: ['read', 'offline'] },
      // Its number of parameters decides what it is given.
      // eslint-disable-next-line max-params
      (_issuer, uiProfile, idProfile, _context, _idToken, access, refresh, _parameters, done) =>
        done(uiProfile.id === idProfile.id ? null : new Error('Another subject at userinfo'), { access, refresh }),
    ),
  );

async function simpleOAuth2() {
  const auth = { tokenHost: issuer, tokenPath: '/oauth2/token', authorizePath: '/oauth2/auth', revokePath: '/oauth2/revoke' };
  const client = new AuthorizationCode({ client: { id, secret }, auth });
  let kept;
  const keep = (token) => plain((kept = token).token);
  return {
    signIn: async () => {
      const url = client.authorizeURL({ redirect_uri: callback, scope, state: 'a-state-of-mine' });
      return keep(await client.getToken({ code: (await allow(url)).searchParams.get('code'), redirect_uri: callback }));
    },
    refresh: async () => keep(await kept.refresh()),
    revoke: () => kept.revokeAll(),
  };
}

/** As in a page: the client without a secret, and the memory of a tab. */
async function oidcClientTs() {
  const store = new WebStorageStateStore({ store: new InMemoryWebStorage() });
  const options = { userStore: store, stateStore: store, automaticSilentRenew: false, loadUserInfo: true };
  let url;
  const manager = new UserManager(
    { authority: issuer, client_id: publicClient.id, redirect_uri: callback, scope, ...options },
    { prepare: async () => ({ navigate: async (to) => void (url = to.url), close() {} }), callback: async () => {} },
  );
  return {
    signIn: async () => {
      await manager.signinRedirect();
      return plain(await manager.signinRedirectCallback((await allow(url)).href));
    },
    refresh: async () => plain(await manager.signinSilent()),
    revoke: () => manager.revokeTokens(['refresh_token']),
  };
}

async function arctic() {
  const client = new OAuth2Client(id, secret, callback);
  const both = (tokens) => ({ access: tokens.accessToken(), refresh: tokens.refreshToken() });
  return {
    signIn: async () => {
      const [state, verifier] = [generateState(), generateCodeVerifier()];
      const scopes = scope.split(' ');
      const url = client.createAuthorizationURLWithPKCE(authorizationEndpoint, state, CodeChallengeMethod.S256, verifier, scopes);
      const back = parametersOf(await allow(url));
      if (back.state !== state) throw new Error('Another state came back');
      return both(await client.validateAuthorizationCode(tokenEndpoint, back.code, verifier));
    },
    refresh: async (token) => both(await client.refreshAccessToken(tokenEndpoint, token, [])),
    revoke: (token) => client.revokeToken(revocationEndpoint, token),
  };
}

const CLIENTS = {
  'openid-client 5': openidClient5,
  'oauth4webapi with DPoP': oauth4webapiWithDpop,
  'next-auth 4': () => withAuthPages('/api/auth'),
  'Auth.js 5': () => withAuthPages('/auth'),
  'passport-oauth2': passportOAuth2,
  'passport-openidconnect': passportOpenID,
  'simple-oauth2': simpleOAuth2,
  'oidc-client-ts': oidcClientTs,
  arctic,
};
const results = {};
await new Promise((resolve) => app.listen(port, resolve));
for (const [name, prepare] of Object.entries(CLIENTS))
  results[name] = await tour(prepare).catch((error) => ({ failed: String(error.stack) }));
// Timers of a library, for the end of a session, would keep the process for an hour.
process.stdout.write(JSON.stringify(results), () => process.exit());
