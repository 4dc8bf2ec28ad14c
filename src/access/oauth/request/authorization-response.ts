import type { FastifyReply } from 'fastify';
import type { Pages } from '../../../edge/page/index.js';
import type { OAuthError } from '../oauth-error.js';
import type { AuthorizationRequest, ResponseMode } from './authorization-request.js';
import { responsePage } from './response.view.js';

export type ResponseTarget = Pick<AuthorizationRequest, 'redirectUri' | 'state' | 'responseMode'>;

/** RFC 6749 section 4.1.2 and RFC 9207. */
export interface AuthorizationResponse {
  readonly redirectUri: string;
  readonly mode: ResponseMode;
  readonly parameters: Readonly<Record<string, string>>;
}

const responseTo = (
  { redirectUri, state, responseMode }: ResponseTarget,
  issuer: string,
  parameters: AuthorizationResponse['parameters'],
): AuthorizationResponse => ({
  redirectUri,
  mode: responseMode,
  parameters: { ...parameters, ...(state !== null && { state }), iss: issuer },
});

/** `scope` is not in the RFC; the compatible service sends and documents it. */
export const successTo = (to: ResponseTarget, issuer: string, code: string, scopes: readonly string[]): AuthorizationResponse =>
  responseTo(to, issuer, { code, scope: scopes.join(' ') });

export const errorTo = (to: ResponseTarget, issuer: string, { code, message }: OAuthError): AuthorizationResponse =>
  responseTo(to, issuer, { error: code, error_description: message });

/** The URI is extended as text: parsing it could change a registered byte. */
export function addToUrl(url: string, parameters: AuthorizationResponse['parameters']): string {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const joint = url.includes('?') ? (/[?&]$/.test(url) ? '' : '&') : '?';
  return `${url}${joint}${query.join('&')}`;
}

export const responseUrl = ({ redirectUri, parameters }: AuthorizationResponse): string => addToUrl(redirectUri, parameters);

/** Sends the browser back to the app: by a redirect, or by a page that posts (OAuth 2.0 Form Post Response Mode). */
export function sendResponse(reply: FastifyReply, pages: Pages, response: AuthorizationResponse): void {
  if (response.mode !== 'form_post') return sendBrowser(reply, responseUrl(response));
  const { redirectUri } = response;
  const nonce = pages.nonce();
  pages.send(reply, { kind: 'response', nonce, redirectUri }, responsePage({ ...response, frame: pages.frame(), nonce }));
}

/** Only 303: a 307 would send a posted form on to the app (RFC 9700 section 2.1). */
export const sendBrowser = (reply: FastifyReply, location: string): void =>
  void reply
    .code(303)
    .headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' })
    .send();
