import type { EgressResult } from '../../edge/egress/index.js';

export type UrlRefusal = Extract<EgressResult, { kind: 'refused' }>['reason'];

export type EndpointAddOutcome =
  /** The secret is shown only now. */
  | { readonly kind: 'added'; readonly id: string; readonly secret: string }
  | { readonly kind: 'url_refused'; readonly reason: UrlRefusal }
  | { readonly kind: 'too_many'; readonly limit: number };

export type SecretRotateOutcome = { readonly kind: 'rotated'; readonly secret: string } | { readonly kind: 'not_found' };

/** `waiting`: the delivery has not ended, so there is nothing to replay; `too_many`: too many deliveries of the endpoint wait. */
export type ReplayOutcome = 'replayed' | 'not_found' | 'waiting' | 'too_many';
