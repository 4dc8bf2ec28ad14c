/** At most one credential; without one, the fields that require none are available. */
export interface ClientCredential {
  /** An API key. */
  readonly apiKey?: string;
  /** An OAuth access token, or a function that returns a valid one: it is called for each request and each connection. */
  readonly token?: string | (() => string | Promise<string>);
  /** The token of a session, from `POST /auth/login`. */
  readonly session?: string;
}

/** The credential under the name of its header, which is its name in `connection_init` too. */
export async function headersOf({ apiKey, token, session }: ClientCredential): Promise<Record<string, string>> {
  if (apiKey !== undefined) return { 'X-API-KEY': apiKey };
  if (session !== undefined) return { Authorization: `Bearer ${session}` };
  if (token === undefined) return {};
  return { 'Oauth2-Token': typeof token === 'string' ? token : await token() };
}

/** @throws TypeError for more than one: the server would refuse every request */
export function checkCredential({ apiKey, token, session }: ClientCredential): void {
  if ([apiKey, token, session].filter((each) => each !== undefined).length > 1)
    throw new TypeError('Give one of apiKey, token and session');
}
