import { ACCESS_SAMPLES } from './samples/access.js';
import type { Sample } from './samples/sample.js';
import { API_SAMPLES } from './samples/api.js';
import { DEVELOPER_SAMPLES } from './samples/developer.js';
import { GATE_SAMPLES } from './samples/gate.js';
import { SECURITY_SAMPLES } from './samples/security.js';
import { ONCHAIN_SAMPLES } from './samples/onchain.js';
import { PERSON_SAMPLES } from './samples/person.js';
import { WALLET_SAMPLES } from './samples/wallet.js';
import { WEBHOOK_SAMPLES } from './samples/webhook.js';

export { SAMPLE_SECRET } from './samples/access.js';
export { HOSTILE, type Sample } from './samples/sample.js';

/** Every page in every state. Tests of all pages use these. */
export const SAMPLES: readonly Sample[] = [
  ...GATE_SAMPLES,
  ...WALLET_SAMPLES,
  ...ONCHAIN_SAMPLES,
  ...ACCESS_SAMPLES,
  ...SECURITY_SAMPLES,
  ...WEBHOOK_SAMPLES,
  ...PERSON_SAMPLES,
  ...DEVELOPER_SAMPLES,
  ...API_SAMPLES,
];
