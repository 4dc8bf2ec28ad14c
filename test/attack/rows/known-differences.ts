/** What oidc-provider does otherwise, and the text of the failure by which its row sees that. */
export const KNOWN_AT_OIDC_PROVIDER: Readonly<Record<string, { readonly what: string; readonly seenAs: RegExp }>> = {
  'A-06': { what: 'a repeated redirect_uri is answered by a redirect', seenAs: /redirect_uri=.*invalid_request/s },
  'A-14': { what: 'a code survives a wrong verifier', seenAs: /again.*invalid_grant/s },
  'A-17': { what: 'its pages take forms of other sites', seenAs: /403.*303/s },
  'A-20': { what: 'its pages can be framed', seenAs: /DENY/ },
  'A-23': { what: 'its error page repeats parameters, escaped', seenAs: /svg onload/ },
  'A-24': { what: 'its pages send a Referer', seenAs: /sign-in.*true.*false/s },
  'A-27': { what: 'of refreshes at once one succeeds', seenAs: /200/ },
  'A-28': { what: 'a retry ends the family', seenAs: /true.*false/s },
  'A-34': { what: 'guesses are not slowed down', seenAs: /429.*401/s },
  'A-35': { what: 'some malformed headers are another error', seenAs: /400.*invalid_request/s },
  'A-45': { what: 'the addresses of its endpoints follow Host', seenAs: /evil\.example/ },
};
