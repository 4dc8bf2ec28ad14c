import type { ErrorCode, Problem, Result } from '../../edge/graphql/index.js';
import { assertNever } from '../../platform/kernel/assert-never.js';
import type { EndpointAddOutcome, ReplayOutcome, UrlRefusal } from './webhook.outcome.js';
import type { WebhookDeliveryRow } from './webhook.row.js';

export const URL_REFUSALS: Readonly<Record<UrlRefusal, string>> = {
  invalid_url: 'The URL must have at most 2048 characters, and no user name or password',
  not_https: 'The URL must begin with https:',
  address_not_public: 'The address in the URL is not public',
};

const failed = (message: string, code: ErrorCode, path: readonly string[]): { errors: Problem[] } => ({
  errors: [{ message, code, path }],
});

export function additionPayload(outcome: EndpointAddOutcome): Result<'Mutation', 'callbackEndpointAdd'> {
  switch (outcome.kind) {
    case 'added':
      return { errors: [], id: outcome.id, signingSecret: outcome.secret };
    case 'url_refused':
      return { ...failed(URL_REFUSALS[outcome.reason], 'ENDPOINT_URL_REFUSED', ['input', 'url']), id: null, signingSecret: null };
    case 'too_many': {
      const message = `You have ${outcome.limit} endpoints, which is the limit. Delete one first.`;
      return { ...failed(message, 'INVALID_INPUT', ['input']), id: null, signingSecret: null };
    }
    default:
      return assertNever(outcome);
  }
}

export const deletionPayload = (isDeleted: boolean): Result<'Mutation', 'callbackEndpointDelete'> =>
  isDeleted ? { errors: [], success: true } : { ...failed('Endpoint not found', 'NOT_FOUND', ['input', 'id']), success: false };

const REPLAY_REFUSALS: Readonly<Record<Exclude<ReplayOutcome, 'replayed'>, ReturnType<typeof failed>>> = {
  not_found: failed('Delivery not found', 'NOT_FOUND', ['input', 'id']),
  waiting: failed('The delivery has not ended: it is sent without a replay', 'INVALID_INPUT', ['input', 'id']),
  too_many: failed('Too many deliveries of this endpoint wait. Try again later.', 'INVALID_INPUT', ['input', 'id']),
};

export const replayPayload = (outcome: ReplayOutcome): Result<'Mutation', 'callbackDeliveryReplay'> =>
  outcome === 'replayed' ? { errors: [], success: true } : { ...REPLAY_REFUSALS[outcome], success: false };

const STATES = { waiting: 'WAITING', delivered: 'DELIVERED', failed: 'FAILED' } as const;

export const deliveryPayload = ({ nextAt, state, ...row }: WebhookDeliveryRow): Result<'CallbackEndpoint', 'deliveries'>[number] => ({
  ...row,
  nextAttemptAt: nextAt,
  state: STATES[state],
});
