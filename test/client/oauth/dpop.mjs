// oauth4webapi with DPoP (RFC 9449).
import * as oauth from 'oauth4webapi';
import { allow, api, call, callback, issuer, plain, publicClient, QUERY, scope } from './tour.mjs';

/** The nonce of the server is known after the first answer. */
async function withNonce(ask) {
  try {
    return await ask();
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error;
    return ask();
  }
}

/** A client without a secret, whose key is proved with each request (DPoP). */
export async function oauth4webapiWithDpop() {
  const insecure = { [oauth.allowInsecureRequests]: true };
  const address = new URL(issuer);
  const server = await oauth.processDiscoveryResponse(address, await oauth.discoveryRequest(address, insecure));
  const client = { client_id: publicClient.id };
  const none = oauth.None();
  const options = { ...insecure, DPoP: oauth.DPoP(client, await oauth.generateKeyPair('ES256')) };
  return {
    signIn: async () => {
      const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
      const url = new URL(server.authorization_endpoint);
      url.search = new URLSearchParams({
        client_id: client.client_id,
        redirect_uri: callback,
        response_type: 'code',
        scope,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      const parameters = oauth.validateAuthResponse(server, client, await allow(url), state);
      const exchange = () => oauth.authorizationCodeGrantRequest(server, client, none, parameters, callback, verifier, options);
      const tokens = await withNonce(async () => oauth.processAuthorizationCodeResponse(server, client, await exchange()));
      if (tokens.token_type !== 'dpop') throw new Error(`The type is ${tokens.token_type}`);
      if ((await call(tokens.access_token)) !== 401) throw new Error('The token works without its key');
      return plain(tokens);
    },
    call: async (token) => {
      const json = new Headers({ 'content-type': 'application/json' });
      const ask = () => oauth.protectedResourceRequest(token, 'POST', new URL(api), json, QUERY, options);
      try {
        return (await (await withNonce(ask)).json()).data.me.username;
      } catch (error) {
        return error.status ?? error;
      }
    },
    refresh: (token) =>
      withNonce(async () => {
        const answer = await oauth.refreshTokenGrantRequest(server, client, none, token, options);
        return plain(await oauth.processRefreshTokenResponse(server, client, answer));
      }),
    revoke: async (token) => oauth.processRevocationResponse(await oauth.revocationRequest(server, client, none, token, insecure)),
  };
}
