export const ROUTES = {
  authorize: '/oauth2/auth',
  pushedRequest: '/oauth2/par',
  token: '/oauth2/token',
  revoke: '/oauth2/revoke',
  introspect: '/oauth2/introspect',
  reportLeak: '/oauth2/report-leak',
  logout: '/oauth2/sessions/logout',
  userinfo: '/userinfo',
  jwks: '/.well-known/jwks.json',
  openidConfiguration: '/.well-known/openid-configuration',
  authorizationServer: '/.well-known/oauth-authorization-server',
} as const;
