import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../../platform/config/index.js';
import {
  ArrivingBodies,
  asksForApiPage,
  RETRY_AFTER,
  sendProblem,
  WorkInProgress,
  type BodyRejectedError,
  type TurnRefusedError,
} from '../http/index.js';
import { Log } from '../../platform/logging/index.js';
import { addressOf, RateLimiter, setRateLimitHeaders, writeRateLimitHeaders } from '../rate-limit/index.js';
import { AuthenticationError } from './authentication-error.js';
import { Authenticator } from './authenticator.js';
import { apiMetadataOf } from './api-resource.js';
import { ANONYMOUS, type Principal } from './principal.js';

const RETRY_SECONDS: Partial<Record<AuthenticationError['problem'], number>> = {
  credentialsUnknowable: RETRY_AFTER.outage,
  busy: RETRY_AFTER.busy,
};
/** A monitor sees why the server is busy. */
const ALWAYS_SERVED = '/metrics';

/** Before any body is parsed: rate limit of the address, authentication, rate limit of the principal. No later step repeats them. */
@Injectable()
export class RequestHook {
  private readonly log = new Log(RequestHook.name);
  private hasWarned = false;

  constructor(
    private readonly authenticator: Authenticator,
    private readonly limiter: RateLimiter,
    private readonly config: Config,
    private readonly work: WorkInProgress,
    private readonly bodies: ArrivingBodies,
  ) {}

  attach(fastify: FastifyInstance): void {
    fastify.decorateRequest('principal', null as never); // not ANONYMOUS: if the hook did not run, the guard refuses
    fastify.decorateRequest('visitor', null);
    fastify.decorateRequest('address', '');
    fastify.decorateRequest('work', null as never);
    fastify.decorateReply('rateLimits', null);
    fastify.addHook('onRequest', (request, reply, done) => this.onRequest(request, reply, done));
    fastify.addHook('preParsing', (request, reply, payload, done) => {
      if (hasBody(request)) this.bodies.watch(request.address, request.raw, (because) => refuseBody(request, reply, because));
      done(null, payload);
    });
    // Here the whole request has arrived: a slow request takes no slot while its body arrives.
    fastify.addHook('preValidation', (request, reply, done) => this.begin(request, reply, done));
    fastify.addHook('onSend', (request, reply, payload, done) => {
      writeRateLimitHeaders(reply);
      (request.work as FastifyRequest['work'] | null)?.end(); // null: the router itself refused
      done(null, payload);
    });
  }

  private onRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    request.address = addressOf(request.raw.socket.remoteAddress, request.headers['x-forwarded-for'], this.config.trustProxyHops);
    if (request.headers['x-forwarded-for'] !== undefined) this.warnOfProxy();
    request.principal = ANONYMOUS;
    request.work = this.work.of(request.raw.socket, request.address);
    // A credential in a custom header does not mark the response as private for caches. Assets set their own header.
    reply.header('cache-control', 'no-store');
    if (request.headers['dpop'] !== undefined) reply.header('dpop-nonce', this.authenticator.nonce);
    if (!this.passes(reply, 'address', request.address)) return;
    if (!readsCredentials(request)) return done();
    let principal: Principal | Promise<Principal>;
    try {
      principal = this.authenticator.identify(request.headers, request.raw, request.address, () => request.work.enter());
    } catch (error) {
      return this.deny(request, reply, error);
    }
    if (!(principal instanceof Promise)) return this.admit(principal, request, reply, done);
    principal.then(
      (known) => {
        request.work.leave();
        this.admit(known, request, reply, done);
      },
      (error: unknown) => this.deny(request, reply, error),
    );
  }

  /**
   * Behind a proxy that TRUST_PROXY does not count, all callers share one address and its limits. Any caller can send the header: warn
   * once.
   */
  private warnOfProxy(): void {
    if (this.config.trustProxyHops > 0 || this.hasWarned) return;
    this.hasWarned = true;
    this.log.warn(
      'auth_proxy_not_trusted',
      {},
      'A request has X-Forwarded-For, and TRUST_PROXY is 0: behind a proxy, all callers count as one address',
    );
  }

  private admit(principal: Principal, request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    if (principal !== ANONYMOUS && !this.passes(reply, 'principal', principal.id)) return;
    if (principal.userId !== null && !this.passes(reply, 'account', principal.userId)) return;
    request.principal = principal;
    done();
  }

  private deny(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
    const { problem, proof } = error instanceof AuthenticationError ? error : new AuthenticationError('credentialsUnknowable');
    const isInvalid = problem === 'credentialsInvalid';
    if (isInvalid) reply.header('www-authenticate', proof?.challenge ?? this.challengeAt(request.routeOptions.url));
    sendProblem(reply, problem, {
      retryAfterSeconds: RETRY_SECONDS[problem],
      hint: isInvalid ? (proof?.description ?? this.authenticator.hintFor(request.headers)) : undefined,
    });
  }

  /** At the API it leads to the authorization server (RFC 9728 section 5.1). */
  private challengeAt(url: string | undefined): string {
    const metadata = url === '/graphql' ? `, resource_metadata="${apiMetadataOf(this.config)}"` : '';
    return `Bearer realm="sluice", error="invalid_token"${metadata}`;
  }

  private begin(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    if (request.work.isGone) return drop(request, reply); // the caller has disconnected, so nothing is started
    if (request.routeOptions.url === ALWAYS_SERVED) return done();
    if (!request.work.enter(request.principal)) return busy(reply);
    const turn = isPage(request) ? request.work.takeTurn() : undefined;
    if (!turn) return done();
    turn.then(done, (error: TurnRefusedError) => this.refusePage(request, reply, error));
  }

  private refusePage(request: FastifyRequest, reply: FastifyReply, error: TurnRefusedError): void {
    this.work.notBegun(error, request.work.owner);
    if (error.because !== 'gone') return busy(reply);
    drop(request, reply);
  }

  private passes(reply: FastifyReply, policy: 'address' | 'principal' | 'account', key: string): boolean {
    const result = this.limiter.consumeNow(policy, key);
    setRateLimitHeaders(reply, result);
    if (result.isBlocked) sendProblem(reply, 'tooManyRequests');
    return !result.isBlocked;
  }
}

/** `Authorization` is often meant for another party, such as a proxy with HTTP Basic: it is read only where a route needs it. */
function readsCredentials(request: FastifyRequest): boolean {
  const { url, config } = request.routeOptions;
  return (url === '/graphql' && !asksForApiPage(request)) || config.readsCredentials === true;
}

/** The API has turns of its own; files need none. */
const NO_PAGE = /^\/(graphql|assets|favicon)/;
const isPage = ({ method, routeOptions: { url, config } }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && url !== undefined && !NO_PAGE.test(url) && config.waitsElsewhere !== true;

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The reader of the body answers. The rest has no reader, so the connection ends with the response. */
function refuseBody({ raw }: FastifyRequest, reply: FastifyReply, because: BodyRejectedError): void {
  reply.header('connection', 'close');
  if (raw.listenerCount('error') > 0) raw.emit('error', because);
  else raw.destroy();
}

const busy = (reply: FastifyReply): void => sendProblem(reply, 'busy', { retryAfterSeconds: RETRY_AFTER.busy });

function drop({ work }: FastifyRequest, reply: FastifyReply): void {
  work.end();
  reply.hijack();
}
