/**
 * The text of a body, read as it arrives.
 * @returns undefined if it is longer than `maxBytes`: no more of it is read then, because to leave the loop ends the stream
 */
export async function boundedText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
