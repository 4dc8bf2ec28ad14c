/** Close codes of WebSockets: RFC 6455 section 7.4, and those that clients of `graphql-transport-ws` know. */
export const CloseCode = {
  goingAway: 1001,
  tryAgainLater: 1013,
  badRequest: 4400,
  /** Clients do not connect again with the same credential. */
  unauthorized: 4401,
  tooManyRequests: 4429,
  internalError: 4500,
} as const;
