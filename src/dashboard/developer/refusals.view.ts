import type { CallRow } from '../../access/call/index.js';
import { html, moment, outsideText, table, times, type Html, type HtmlValue, type ShellFrame } from '../../edge/page/index.js';
import { card } from '../layout.js';

/** What happened, and what to change. */
const CAUSES: Readonly<Record<string, readonly [what: string, advice: string]>> = {
  redirect_uri: ['The callback URL is not the registered one', 'Send a registered URL, byte for byte, or register this one.'],
  redirect_query: ['The callback URL differs in its query', 'Send the registered URL, byte for byte, also after the question mark.'],
  scope: ['The token lacks a scope', 'Ask the person for it. If it is not registered for your app, edit the app first.'],
  scope_unregistered: ['A scope is not registered for your app', 'Ask for registered scopes only, or edit the app to add it.'],
  scope_granted: ['The refresh asked for more scopes than were granted', 'Leave scope out, or ask the person again.'],
  'session-only': ['Only a signed-in person may do this', 'No app may: send people to their dashboard.'],
  client: ['The client was not authenticated', 'Send the client ID and a secret that works, by one method.'],
  assertion: ['The assertion of the client was refused', 'Sign a new one for each request, with a key that is registered for the app.'],
  request_uri: ['A request_uri was not accepted', 'Push a request for each sign-in, and send the person there at once. It works once.'],
  suspended: ['The app is suspended', 'Ask the operator of this server.'],
  pending: ['The app is not approved', 'Wait for the approval, or use test credentials.'],
  test_account: ['A test client was used with another account', 'Sign in with your own account, or wait for the approval.'],
  code_expired: ['The authorization code had expired', 'Exchange it at once. Check the clock and the queue of your server.'],
  code_used: ['The authorization code was used before', 'Exchange each code once. What was issued for it has ended.'],
  code_unknown: ['The authorization code is unknown', 'Send the code of the callback as it is, with the same client ID.'],
  verifier: ['The code_verifier does not match', 'Keep the verifier of the same browser. The challenge is BASE64URL(SHA256(verifier)).'],
  verifier_missing: ['The code_verifier is missing', 'Send the verifier of the challenge with the code.'],
  verifier_alone: ['There was no code_challenge', 'Send code_challenge and code_challenge_method=S256 with the authorization request.'],
  dpop: ['The DPoP proof was refused', 'Make a new proof for each request, with the key of the token and the latest DPoP-Nonce.'],
  dpop_key: ['The code is bound to another key', 'Send a DPoP proof of the key in dpop_jkt with the code.'],
  grant_ended: ['The connection has ended', 'Ask the person again.'],
  token_expired: ['The access token had expired', 'Use the refresh token before expires_in is over. Check the clock of your server.'],
  token_audience: ['The token is for another service', 'Name the wallet API too: send its address as resource, or no resource.'],
  wrong_header: ['The token came in the wrong header', 'Send it as Oauth2-Token, or as Authorization: Bearer.'],
  refresh_unknown: ['The refresh token is unknown', 'Send the refresh token of the latest response.'],
  refresh_foreign: ['The refresh token is of another client', 'Send the token of this client.'],
  refresh_unproved: ['The refresh token is bound to a key', 'Send a DPoP proof of the same key with it.'],
  refresh_ended: ['The connection has ended', 'Ask the person again.'],
  refresh_expired: ['The refresh token had expired', 'Ask the person again.'],
  refresh_late: [
    'The refresh token was already replaced',
    'Store the new refresh token before you use it. Repeat a refresh within a minute.',
  ],
  refresh_reused: [
    'The refresh token was used twice',
    'Two parties have it, or your app does not store the new one. Ask the person again.',
  ],
};
const OTHER_ADVICE = 'Change the request as the cause says.';

/** The first character that differs is marked. */
function marked(sent: string, registered: string | null): HtmlValue {
  const characters = [...sent];
  const at = characters.findIndex((character, index) => character !== [...(registered ?? '')][index]);
  if (registered === null || at < 0) return outsideText(sent);
  return html`${outsideText(characters.slice(0, at).join(''))}<mark>${outsideText(characters[at] ?? '')}</mark>${outsideText(characters.slice(at + 1).join(''))}`;
}

function cells({ at, operation, outcome, sent, registered, count }: CallRow, frame: ShellFrame): readonly HtmlValue[] {
  const [what, advice] = CAUSES[outcome] ?? [outcome, OTHER_ADVICE];
  const shown = outcome === 'redirect_uri' && sent !== null ? marked(sent, registered) : outsideText(sent ?? '–');
  return [
    html`${moment(at, frame)}${times(count)}`,
    html`<code>${outsideText(operation)}</code>`,
    html`${outsideText(what)}<br /><span class="sub">${advice}</span>`,
    html`<code>${shown}</code>`,
    html`<code>${outsideText(registered ?? '–')}</code>`,
  ];
}

/** Why requests of an app were refused, for its developer. */
export function refusalsCard(refusals: readonly CallRow[], frame: ShellFrame): Html {
  const list = table({
    caption: 'Refused requests',
    columns: ['Last time', 'Request', 'Cause, and what to change', 'Sent', 'Registered'],
    rows: refusals.map((each) => cells(each, frame)),
  });
  const sub = 'Refused requests of the last day, with details that your app doesn’t get to see.';
  return card('Why it fails', refusals.length > 0 ? list : html`<p>No refused requests.</p>`, { sub });
}
