// Loaded before an app, and stands between it and the token endpoint: every access token is over at once, as far as the app knows, and
// with NO_ROTATION=1 a refresh brings no new refresh token, as with servers that rotate none. With SPOILED=first the first access token is
// one that was ended before its time, with SPOILED=all each of them is: the app hears of it from the API alone.
const { fetch, Response } = globalThis;

globalThis.fetch = async (address, init) => {
  const response = await fetch(address, init);
  if (!String(address).endsWith('/oauth2/token') || !response.ok) return response;
  const { NO_ROTATION, SPOILED } = process.env;
  const isRefresh = String(init.body).includes('grant_type=refresh_token');
  const tokens = { ...(await response.json()), expires_in: SPOILED ? 3600 : 0 };
  if (NO_ROTATION && isRefresh) delete tokens.refresh_token;
  if (SPOILED === 'all' || (SPOILED === 'first' && !isRefresh)) tokens.access_token = 'ended';
  return Response.json(tokens);
};
