import { request, type Dispatcher } from 'undici';
import { boundedText } from '../kernel/bounded-text.js';

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
    const text = await boundedText(body as AsyncIterable<Buffer>, MAX_BYTES);
    if (text === undefined) throw new Failure(`the response is longer than ${MAX_BYTES} bytes`);
    if (statusCode !== 200) throw new Failure(`the response has the status ${statusCode}`);
    return text;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(signal.aborted ? `no response within ${timeoutMs} ms` : 'the source cannot be reached', { cause: error });
  }
}

class Failure extends Error {}
