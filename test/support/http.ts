/** The unchanged answer to an HTTP request. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads whatever shape it asked for
  readonly body: any;
}

/** Sends one request; parses a body that is JSON, and leaves others as text. */
export async function request(url: string, init: RequestInit = {}): Promise<HttpAnswer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson(response.headers) && text !== '' ? JSON.parse(text) : undefined,
  };
}

/** POST with a JSON body; a string is sent unchanged. */
export const post = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<HttpAnswer> =>
  request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const isJson = (headers: Headers): boolean => /json/.test(headers.get('content-type') ?? '');
