import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config/index.js';
import { Authenticator, Denied } from './authenticator.js';
import { ANONYMOUS, type Principal } from './principal.js';
import { addressOf, Throttle, type BucketName } from './throttle.js';

const STATUS_TEXT = { 400: 'Bad Request', 401: 'Unauthorized', 503: 'Service Unavailable' } as const;
const RETRY_SECONDS = 2;

/** Before any body is parsed: the address's bucket, who is asking, the principal's bucket. Nothing later asks again. */
@Injectable()
export class RequestHook {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly throttle: Throttle,
    private readonly config: Config,
  ) {}

  attach(fastify: FastifyInstance): void {
    fastify.decorateRequest('principal', null as never); // not ANONYMOUS: where the hook did not run, the guard refuses
    fastify.decorateRequest('address', '');
    fastify.addHook('onRequest', (request, reply, done) => this.onRequest(request, reply, done));
  }

  private onRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    request.address = addressOf(request.raw.socket.remoteAddress, request.headers['x-forwarded-for'], this.config.trustProxyHops);
    request.principal = ANONYMOUS;
    // A credential in a header of our own does not tell caches that the answer is private. Assets say otherwise themselves.
    reply.header('cache-control', 'no-store');
    if (!this.passes(reply, 'address', request.address)) return;
    if (request.routeOptions.config.ownAuthentication) return done();
    try {
      const principal = this.authenticator.identify(request.headers, request.address);
      if (!(principal instanceof Promise)) return done();
      principal.then(
        (known) => this.admit(known, request, reply, done),
        (error: unknown) => deny(reply, error),
      );
    } catch (error) {
      deny(reply, error);
    }
  }

  private admit(principal: Principal, request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    if (!this.passes(reply, 'principal', principal.id)) return;
    request.principal = principal;
    done();
  }

  private passes(reply: FastifyReply, bucket: BucketName, key: string): boolean {
    const hit = this.throttle.hit(bucket, key);
    this.throttle.announce(reply, bucket, hit);
    if (hit.isBlocked) answer(reply, 429, 'TOO_MANY_REQUEST', 'Too many requests, please wait for a while and try again.');
    return !hit.isBlocked;
  }
}

function deny(reply: FastifyReply, error: unknown): void {
  const denied = error instanceof Denied ? error : new Denied(503, 1013, 'Credentials cannot be checked now');
  if (denied.status === 401) reply.header('www-authenticate', 'Bearer realm="sluice", error="invalid_token"');
  if (denied.status === 503) reply.header('retry-after', RETRY_SECONDS);
  answer(reply, denied.status, STATUS_TEXT[denied.status], denied.message);
}

const answer = (reply: FastifyReply, code: number, status: string, message: string): void =>
  void reply.code(code).send({ error: { code, status, message } });
