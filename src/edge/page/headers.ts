/**
 * The headers allow it by kind: `gate` (register, sign in) and `consent` have forms, and no script but that of passkeys by nonce, `dashboard` has forms and one script by
 * nonce, `response` posts to an app, by itself, `error` has neither, `editor` has GraphiQL and no form.
 */
export type PageKind =
  | { readonly kind: 'gate'; readonly nonce?: string }
  | { readonly kind: 'consent'; /** The validated address of the response. */ readonly redirectUri: string }
  | { readonly kind: 'response'; readonly nonce: string; /** As of `consent`. */ readonly redirectUri: string }
  | { readonly kind: 'dashboard'; readonly nonce: string }
  | { readonly kind: 'editor'; readonly nonce: string }
  | { readonly kind: 'error' };

type CspDirectives = Readonly<Record<string, string>>;

/** Only what is named is allowed: no script, no frame, no font, no connection. */
const COMMON: CspDirectives = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
};

const BY_KIND: { readonly [K in PageKind['kind']]: (page: Extract<PageKind, { kind: K }>) => CspDirectives } = {
  gate: ({ nonce }): CspDirectives => (nonce === undefined ? {} : { 'script-src': `'nonce-${nonce}'` }),
  consent: ({ redirectUri }) => ({ 'form-action': `'self' https:${consentTarget(redirectUri)}` }),
  response: ({ nonce, redirectUri }) => ({
    'script-src': `'nonce-${nonce}'`,
    'form-action': `https:${consentTarget(redirectUri)}`,
  }),
  dashboard: ({ nonce }) => ({ 'script-src': `'nonce-${nonce}'`, 'connect-src': "'self'" }),
  // GraphiQL adds a style element to the page while a dialog or a menu is open, and has its fonts in its stylesheet. Images and connections
  // are limited to this origin, so a style cannot send data elsewhere.
  editor: ({ nonce }) => ({
    'script-src': `'nonce-${nonce}'`,
    'style-src-elem': "'self' 'unsafe-inline'",
    'font-src': 'data:',
    'connect-src': "'self'",
    'form-action': "'none'",
  }),
  error: () => ({}),
};

const FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
  'xr-spatial-tracking',
];
const PERMISSIONS = FEATURES.map((feature) => `${feature}=()`).join(', ');

/**
 * `form-action` checks every redirect after the post, so https is open as a whole; an app on this machine adds its own origin, a native
 * one its own scheme.
 */
function consentTarget(redirectUri: string): string {
  const { protocol, hostname, origin } = new URL(redirectUri);
  if (protocol === 'https:') return '';
  if (protocol !== 'http:') return ` ${protocol}`;
  // CSP cannot name an IPv6 address (CSP3 section 2.3.1, host-part), so its loopback needs the scheme.
  return hostname.startsWith('[') ? ' http:' : ` ${origin}`;
}

function contentSecurityPolicy(page: PageKind): string {
  // Each entry takes its own kind of page; the compiler cannot see that key and argument agree.
  const special = (BY_KIND[page.kind] as (page: PageKind) => CspDirectives)(page);
  return Object.entries({ ...COMMON, ...special })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}

/**
 * @param plainHttp whether browsers may use http beyond loopback, where they send no `Sec-Fetch-Site`: pages with forms must then allow
 * `Origin`
 */
export function securityHeaders(page: PageKind, plainHttp: boolean): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(page),
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': plainHttp && page.kind !== 'error' ? 'same-origin' : 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'Permissions-Policy': PERMISSIONS,
  };
}
