import { createHash } from 'node:crypto';
import { equalHashes } from '../../platform/kernel/token.js';

/** Discovery lists them; `plain` gives no protection and is refused. */
export const CODE_CHALLENGE_METHODS = ['S256'] as const;

/** A SHA-256 digest as base64url (RFC 7636 section 4.2). */
export const isChallenge = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** RFC 7636 section 4.1. */
const isVerifier = (text: string): boolean => /^[A-Za-z0-9._~-]{43,128}$/.test(text);

/** Whether `challenge` is derived from `verifier` (RFC 7636 section 4.6), in constant time. */
export function answersChallenge(verifier: string, challenge: string): boolean {
  return isVerifier(verifier) && equalHashes(createHash('sha256').update(verifier, 'ascii').digest(), Buffer.from(challenge, 'base64url'));
}
