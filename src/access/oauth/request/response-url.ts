import type { OAuthError } from '../oauth-error.js';
import type { AuthorizationRequest } from './authorization-request.js';

export type ResponseTarget = Pick<AuthorizationRequest, 'redirectUri' | 'state'>;

/** RFC 6749 section 4.1.2 and RFC 9207. The URI is extended as text: parsing it could change a registered byte. */
function responseUrl({ redirectUri, state }: ResponseTarget, issuer: string, parameters: Readonly<Record<string, string>>): string {
  const all = { ...parameters, ...(state !== null && { state }), iss: issuer };
  const query = Object.entries(all).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const joint = redirectUri.includes('?') ? (/[?&]$/.test(redirectUri) ? '' : '&') : '?';
  return `${redirectUri}${joint}${query.join('&')}`;
}

/** `scope` is not in the RFC; the compatible service sends and documents it. */
export const successUrl = (to: ResponseTarget, issuer: string, code: string, scopes: readonly string[]): string =>
  responseUrl(to, issuer, { code, scope: scopes.join(' ') });

export const errorUrl = (to: ResponseTarget, issuer: string, { code, message }: OAuthError): string =>
  responseUrl(to, issuer, { error: code, error_description: message });
