/** The authorization request that a sign-in leads back to, as it travels through the gate pages' addresses. */
export function challengeIn(query: Readonly<Record<string, unknown>>, name = 'login_challenge'): string | undefined {
  const challenge = query[name];
  return typeof challenge === 'string' && /^[\w-]{43}$/.test(challenge) ? challenge : undefined;
}

export function withChallenge(path: string, challenge: string | undefined): string {
  if (challenge === undefined) return path;
  return `${path}${path.includes('?') ? '&' : '?'}login_challenge=${challenge}`;
}
