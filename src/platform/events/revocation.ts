import { fragment, type Fragment } from '../database/index.js';

/** SQL that publishes `credential.revoked` in the transaction of its statement. @param key as `EventMap` says */
export const revocationOf = (key: Fragment): Fragment =>
  fragment`event_add(ARRAY['credential.revoked'], ARRAY[${key}], ARRAY['{}'::jsonb])`;

/** For statements that revoke rows of API keys or sessions. */
export const REVOCATION = revocationOf(fragment`id::text`);
