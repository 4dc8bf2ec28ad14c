const STATUSES: readonly number[] = [429, 502, 503, 504];
/** The longest pause of `webhook_finish_v2`; a longer number would be no integer of the database. */
const MAX_SECONDS = 86_400;

/**
 * After how many seconds a server wants to be asked again, by its `Retry-After` (RFC 9110, 10.2.3: seconds, or a date).
 * @returns 0 where it does not say, or with a status that does not mean that it will be back
 */
export function retryAfterOf(status: number, headers: Readonly<Record<string, string | string[] | undefined>>, nowMs: number): number {
  const text = String(headers['retry-after'] ?? '').trim();
  if (!STATUSES.includes(status) || text === '') return 0;
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - nowMs) / 1_000);
  return seconds > 0 ? Math.min(seconds, MAX_SECONDS) : 0;
}
