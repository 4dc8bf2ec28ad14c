/**
 * A page by what its headers must allow:
 * `gate` (register, sign in) and `consent` have forms and no script, `dashboard` has forms and one script by nonce, `error` has neither.
 * `editor` has GraphiQL and no form.
 */
export type PageKind =
  | { readonly kind: 'gate' }
  | { readonly kind: 'consent'; /** The validated address that the answer is sent back to. */ readonly redirectUri: string }
  | { readonly kind: 'dashboard'; readonly nonce: string }
  | { readonly kind: 'editor'; readonly nonce: string }
  | { readonly kind: 'error' };

type CspDirectives = Readonly<Record<string, string>>;

/** Nothing is allowed that is not named: no script, no frame, no font, no connection. */
const COMMON: CspDirectives = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
};

/** The one table of what each kind of page may do besides. */
const BY_KIND: { readonly [K in PageKind['kind']]: (page: Extract<PageKind, { kind: K }>) => CspDirectives } = {
  gate: () => ({}),
  consent: ({ redirectUri }) => ({ 'form-action': `'self' https:${consentTarget(redirectUri)}` }),
  dashboard: ({ nonce }) => ({ 'script-src': `'nonce-${nonce}'`, 'connect-src': "'self'" }),
  // GraphiQL puts a style element into the page while a dialog or a menu is open, and has its fonts in its stylesheet. With images and connections closed to
  // others, a style can send nothing away.
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
 * Where the answer to a consent may go besides https. `form-action` judges every hop after the post, so https is open as a whole and
 * an app on this machine adds its own origin, a native one its own scheme.
 */
function consentTarget(redirectUri: string): string {
  const { protocol, hostname, origin } = new URL(redirectUri);
  if (protocol === 'https:') return '';
  if (protocol !== 'http:') return ` ${protocol}`;
  // CSP has no words for an IPv6 address (CSP3 section 2.3.1, host-part), so its loopback needs the scheme.
  return hostname.startsWith('[') ? ' http:' : ` ${origin}`;
}

function contentSecurityPolicy(page: PageKind): string {
  // Each entry of the table takes its own kind of page; the compiler cannot see that the key and the argument agree.
  const special = (BY_KIND[page.kind] as (page: PageKind) => CspDirectives)(page);
  return Object.entries({ ...COMMON, ...special })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}

/**
 * Every header that a page of this kind is sent with.
 * @param plainHttp whether browsers may reach us by http beyond loopback, where they send no `Sec-Fetch-Site`: pages with forms then have to let `Origin` through
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
