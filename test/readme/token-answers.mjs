// Loaded before an app, and stands between it and the token endpoint: every access token is over at once, as far as the app knows, and
// with NO_ROTATION=1 a refresh brings no new refresh token, as with servers that rotate none.
const { fetch, Response } = globalThis;

globalThis.fetch = async (address, init) => {
  const response = await fetch(address, init);
  if (!String(address).endsWith('/oauth2/token') || !response.ok) return response;
  const tokens = { ...(await response.json()), expires_in: 0 };
  if (process.env.NO_ROTATION && String(init.body).includes('grant_type=refresh_token')) delete tokens.refresh_token;
  return Response.json(tokens);
};
