// What the clients are given, and what they have in common.
// `browser` is the person: it signs in and allows what an address asks for, and answers with the address to which the browser is sent back.

export const { issuer, browser, scope, port, callback, confidential, publicClient } = JSON.parse(process.argv[2]);
export const api = `${issuer}/graphql`;
export const tokenEndpoint = `${issuer}/oauth2/token`;
export const authorizationEndpoint = `${issuer}/oauth2/auth`;
export const revocationEndpoint = `${issuer}/oauth2/revoke`;
export const { id, secret } = confidential;
export const QUERY = JSON.stringify({ query: '{ me { username } }' });

export async function allow(url) {
  const response = await fetch(`${browser}?${new URLSearchParams({ url: String(url) })}`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return new URL(text);
}
export const parametersOf = (url) => Object.fromEntries(url.searchParams);

/** What the API answers to a token: the username, or the status of a refusal. */
export async function call(token) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const response = await fetch(api, { method: 'POST', headers, body: QUERY });
  return response.ok ? (await response.json()).data.me.username : response.status;
}

/** Where a library has no function for it, its users send the request themselves. */
export async function post(endpoint, parameters) {
  const body = new URLSearchParams({ client_id: id, client_secret: secret, ...parameters });
  const response = await fetch(endpoint, { method: 'POST', body });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}
export const revokeByHand = (token) => post(revocationEndpoint, { token });

export const plain = ({ access_token, refresh_token }) => ({ access: access_token, refresh: refresh_token });

/** What each of them does, in this order. */
export async function tour(prepare) {
  const client = await prepare();
  const ask = client.call ?? call;
  const first = await client.signIn();
  const username = await ask(first.access);
  const second = await client.refresh(first.refresh);
  const isRotated = second.refresh !== first.refresh && second.access !== first.access;
  const refreshed = await ask(second.access);
  await client.revoke(second.refresh);
  return { username, refreshed, isRotated, revoked: await ask(second.access) };
}
