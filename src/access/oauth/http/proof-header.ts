import type { FastifyRequest } from 'fastify';

/** What a proof of possession names, and the header that carries it (RFC 9449 section 4.1). Repeated, it is no JWT: Node joins it with commas. */
export function provedBy({ method, raw, headers }: FastifyRequest): { method: string; url: string; proof: string | undefined } {
  const proof = headers['dpop'];
  return { method, url: raw.url ?? '', proof: Array.isArray(proof) ? proof.join() : proof };
}
