import { request, type Dispatcher } from 'undici';

/** Sources answer with some hundred bytes, or some kilobytes with all currencies. */
const MAX_BYTES = 262_144;

/**
 * Reads a document of a source, whose address the operator chose. Redirects are not followed.
 * @throws Error that says why there is none; it never has the address, which may contain a key
 */
export async function readDocument(url: string, dispatcher: Dispatcher, timeoutMs: number): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { statusCode, body } = await request(url, {
      dispatcher,
      signal,
      headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'Sluice' },
    });
    const parts: Buffer[] = [];
    let length = 0;
    for await (const part of body as AsyncIterable<Buffer>) {
      length += part.length;
      // To leave the loop ends the connection: no more of the body is read.
      if (length > MAX_BYTES) throw new Failure(`the response is longer than ${MAX_BYTES} bytes`);
      parts.push(part);
    }
    if (statusCode !== 200) throw new Failure(`the response has the status ${statusCode}`);
    return Buffer.concat(parts).toString('utf8');
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(signal.aborted ? `no response within ${timeoutMs} ms` : 'the source cannot be reached', { cause: error });
  }
}

class Failure extends Error {}
