/** At most `limit` calls in a window of `windowMs` milliseconds. */
export interface Rate {
  readonly limit: number;
  readonly windowMs: number;
}

export const RATE_FORM = /^[1-9]\d{0,8}\/[1-9]\d{0,6}$/;
export const RATE_RULE = 'must be <calls>/<seconds>, for example 20/3600';

export function rateOf(text: string): Rate {
  const [limit = 0, seconds = 0] = text.split('/').map(Number);
  return Object.freeze({ limit, windowMs: seconds * 1000 });
}
