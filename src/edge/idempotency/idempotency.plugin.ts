import {
  type ApolloServerPlugin,
  type GraphQLRequestContext,
  type GraphQLRequestListener,
  type GraphQLResponse,
  HeaderMap,
} from '@apollo/server';
import { Plugin } from '@nestjs/apollo';
import type { FastifyRequest } from 'fastify';
import { GraphQLError, Kind, visit, BREAK, type DocumentNode } from 'graphql';
import type { GqlContext } from '../auth/index.js';
import { PROBLEMS, TurnRefusedError, type Work } from '../http/index.js';
import { Log } from '../../platform/logging/index.js';
import { RateLimiter, setRateLimitHeaders } from '../rate-limit/index.js';
import { WITHHELD } from './attempts.js';
import { fingerprintOf, keyIn, scopeOf } from './idempotency-key.js';
import { isUnavailable, outageText } from '../../platform/database/index.js';
import { costOf, ERROR_CODES, notBegunError, type ErrorCode } from '../graphql/index.js';
import { IdempotencyService, type StoredResponse, type Claim, type ClaimResult } from './idempotency.service.js';

type Writable = { -readonly [K in keyof GqlContext]: GqlContext[K] };

/** Fields whose value is returned once and stored nowhere. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(['apiKeySecret', 'signingSecret', 'totpSecret']);
/** Maximum complexity of a document with a key. It bounds the stored response, so that none is left out for its length. */
const MAX_COST = 1_000;

const refuse = (code: ErrorCode, text: string): GraphQLError => new GraphQLError(text, { extensions: { code, http: { status: 200 } } });

const REFUSALS = {
  conflict: () => refuse('IDEMPOTENCY_CONFLICT', 'This idempotency key was already used for a different request'),
  withheld: () => refuse('IDEMPOTENCY_SECRET_WITHHELD', WITHHELD),
  running: () => refuse('IDEMPOTENCY_IN_PROGRESS', 'The first request with this idempotency key is still in progress. Please try again.'),
  large: (cost: number) =>
    refuse(
      'QUERY_TOO_COMPLEX',
      `The document has a cost of ${cost}; with an idempotency key the limit is ${MAX_COST}, because the response is stored`,
    ),
  away: (error: unknown) => refuse('SERVICE_UNAVAILABLE', outageText(error)),
  often: () => refuse('TOO_MANY_REQUEST', PROBLEMS.tooManyRequests.message),
} as const;

/** `Idempotency-Key` for mutations over HTTP: Sluice runs the first of several equal requests and returns its response to the others. */
@Plugin()
export class IdempotencyPlugin implements ApolloServerPlugin<GqlContext> {
  private readonly log = new Log('Idempotency');
  private readonly claims = new WeakMap<object, Claim>();

  constructor(
    private readonly answers: IdempotencyService,
    private readonly limiter: RateLimiter,
  ) {}

  async requestDidStart(requestContext: GraphQLRequestContext<GqlContext>): Promise<GraphQLRequestListener<GqlContext> | void> {
    const { contextValue } = requestContext;
    const key = keyIn((contextValue.req as FastifyRequest).raw);
    if (key.kind === 'none') return;
    let stored: StoredResponse | undefined;
    let answered = false;
    return {
      // An error thrown here is a response; from `responseForOperation`, Apollo would treat it as an internal error.
      didResolveOperation: async ({ operation, request, source }) => {
        if (operation?.operation !== 'mutation') return;
        if (key.kind === 'invalid') throw refuse('INVALID_INPUT', key.message);
        const cost = costOf(operation);
        if (cost > MAX_COST) throw REFUSALS.large(cost);
        const scope = scopeOf(contextValue.principal, contextValue.address, key.key);
        const fingerprint = fingerprintOf(source, request.operationName, request.variables);
        if (!this.mayClaim(contextValue)) throw REFUSALS.often();
        const verdict = await this.claim(scope, fingerprint, contextValue.work);
        if (verdict.kind === 'replay') return void (stored = verdict.answer);
        if (verdict.kind !== 'mine') throw REFUSALS[verdict.kind]();
        // Another plugin has refused the request meanwhile, so it will not run.
        if (answered) return this.conclude(verdict.claim, () => this.answers.release(verdict.claim));
        this.claims.set(requestContext, verdict.claim);
        (contextValue as Writable).attempt = `${scope.toString('hex')} ${verdict.since}`;
      },
      responseForOperation: async () => (stored ? response(stored) : null),
      willSendResponse: async ({ response: { body }, document }) => {
        answered = true;
        const claim = this.claims.get(requestContext);
        if (!claim) return;
        const answer = body.kind === 'single' ? (body.singleResult as StoredResponse) : undefined;
        const { progress } = contextValue;
        const isPassing = !answer || progress?.isOpen || progress?.unconfirmedTransactionIds !== undefined || saysNothing(answer);
        const withheld = document && showsSecret(document) && answer?.data;
        await this.conclude(claim, () => (isPassing ? this.answers.release(claim) : this.answers.keep(claim, withheld ? null : answer)));
      },
    };
  }

  /** The request ended without a response: its claim must not be renewed, or its retries would wait without end. */
  async unexpectedErrorProcessingRequest({
    requestContext,
  }: {
    readonly requestContext: GraphQLRequestContext<GqlContext>;
  }): Promise<void> {
    const claim = this.claims.get(requestContext);
    if (claim) this.answers.abandon(claim);
  }

  private async claim(scope: Buffer, fingerprint: Buffer, work: Work | undefined): Promise<ClaimResult> {
    try {
      return await this.answers.claim(scope, fingerprint, work);
    } catch (error) {
      if (error instanceof TurnRefusedError && work) throw notBegunError(error, work);
      if (isUnavailable(error)) throw REFUSALS.away(error);
      throw error;
    }
  }

  /**
   * Never throws: the response to an executed request would be lost. If the write fails, the claim expires, and a retry with the same id
   * moves nothing again.
   */
  private async conclude(claim: Claim, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.answers.abandon(claim);
      this.log.warn(
        'idempotency_response_not_stored',
        {},
        `Response not stored, so a retry runs the request again: ${(error as Error).message}`,
      );
    }
  }

  /** Each key stores a row for a day. An anonymous caller may store as many as its rate limit allows it invoices, whatever it requests. */
  private mayClaim({ principal, address, reply }: GqlContext): boolean {
    if (principal.kind !== 'anonymous') return true;
    const result = this.limiter.consumeNow('anonymousInvoice', `key ${address}`);
    if (result.isBlocked) setRateLimitHeaders(reply, result);
    return !result.isBlocked;
  }
}

const response = (answer: StoredResponse): GraphQLResponse => ({
  http: { status: undefined, headers: new HeaderMap([['idempotency-replayed', 'true']]) },
  body: { kind: 'single', singleResult: { ...answer } as never },
});

/** Whether the response has a temporary refusal, at the top level or in a payload. */
function saysNothing({ data, errors }: StoredResponse): boolean {
  const codes = (errors ?? []).map((error) => (error as { extensions?: { code?: unknown } }).extensions?.code);
  const inPayloads = Object.values(data ?? {}).flatMap(
    (payload) => (payload as { errors?: readonly { code?: unknown }[] } | null)?.errors?.map(({ code }) => code) ?? [],
  );
  return [...codes, ...inPayloads].some(
    (code) => typeof code === 'string' && Object.hasOwn(ERROR_CODES, code) && ERROR_CODES[code as ErrorCode] === 'passing',
  );
}

function showsSecret(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    [Kind.FIELD]: ({ name }) => {
      if (!SECRET_FIELDS.has(name.value)) return undefined;
      found = true;
      return BREAK;
    },
  });
  return found;
}
