const JSON_TYPE = 'application/json';
const RESPONSE_TYPE = 'application/graphql-response+json';

/** How well a range of an `Accept` header fits a type: exactly, by its first half, or as any type; 0 where it does not. */
function fit(range: string, type: string): number {
  if (range === type) return 3;
  if (range === `${type.split('/', 1)[0] ?? ''}/*`) return 2;
  return range === '*/*' ? 1 : 0;
}

interface Preference {
  readonly quality: number;
  readonly fit: number;
  readonly place: number;
}

/** What the ranges say about one type: the range that fits it best decides (RFC 9110 section 12.5.1). */
function preferenceFor(accept: string, type: string): Preference {
  let best: Preference = { quality: 0, fit: 0, place: 0 };
  accept.split(',').forEach((each, place) => {
    const [range = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
    const fits = fit(range, type);
    const quality = Number(/^q=(.*)$/.exec(parameters.find((parameter) => parameter.startsWith('q=')) ?? '')?.[1] ?? 1);
    if (fits > best.fit) best = { quality, fit: fits, place };
  });
  return best;
}

/**
 * Is this caller answered as `application/graphql-response+json`? Under that type a status says what became of the document; under
 * `application/json`, which every other caller gets, clients take a status beside 200 for a broken transport and never read the errors.
 */
export function wantsGraphqlResponse(accept: string | undefined): boolean {
  if (!accept) return false;
  const [plain, response] = [preferenceFor(accept, JSON_TYPE), preferenceFor(accept, RESPONSE_TYPE)];
  if (response.quality === 0) return false;
  return (response.quality - plain.quality || response.fit - plain.fit || plain.place - response.place) > 0;
}
