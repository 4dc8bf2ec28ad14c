const JSON_TYPE = 'application/json';
const RESPONSE_TYPE = 'application/graphql-response+json';

/** 3: exactly; 2: by the first half; 1: as any type; 0: not at all. */
function fit(range: string, type: string): number {
  if (range === type) return 3;
  if (range === `${type.split('/', 1)[0] ?? ''}/*`) return 2;
  return range === '*/*' ? 1 : 0;
}

interface Preference {
  readonly quality: number;
  readonly fit: number;
  readonly position: number;
}

/** The most precise range decides (RFC 9110 section 12.5.1). */
function preferenceFor(accept: string, type: string): Preference {
  let best: Preference = { quality: 0, fit: 0, position: 0 };
  accept.split(',').forEach((each, position) => {
    const [range = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
    const fits = fit(range, type);
    const quality = Number(/^q=(.*)$/.exec(parameters.find((parameter) => parameter.startsWith('q=')) ?? '')?.[1] ?? 1);
    if (fits > best.fit) best = { quality, fit: fits, position };
  });
  return best;
}

/**
 * Under `application/graphql-response+json` the status reports the outcome of the document. Other clients read a status beside 200 as a
 * transport failure and never read the errors.
 */
export function wantsGraphqlResponse(accept: string | undefined): boolean {
  if (!accept) return false;
  const [plain, response] = [preferenceFor(accept, JSON_TYPE), preferenceFor(accept, RESPONSE_TYPE)];
  if (response.quality === 0) return false;
  return (response.quality - plain.quality || response.fit - plain.fit || plain.position - response.position) > 0;
}
