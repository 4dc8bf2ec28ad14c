import { applyDecorators, Injectable, SetMetadata, UseGuards, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  ThrottlerException,
  ThrottlerGuard,
  ThrottlerStorage,
  type ThrottlerModuleOptions,
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  type ThrottlerRequest,
} from '@nestjs/throttler';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config/index.js';
import type { GqlContext, Principal } from './principal.js';
import { networkOf, Throttle, type BucketName } from './throttle.js';

const BUCKETS = 'throttled by';

/** Counts calls of this handler in these buckets, in this order. Each alias of a GraphQL field is a call. */
export const Throttled = (...names: [BucketName, ...BucketName[]]): MethodDecorator =>
  applyDecorators(SetMetadata(BUCKETS, names), UseGuards(BucketGuard));

interface ThrottledCall {
  /** This one call: over HTTP the request, in GraphQL the field's own context, because a request may contain many fields. */
  readonly call: object;
  readonly principal: Principal;
  readonly address: string;
  readonly args: unknown;
  readonly reply: FastifyReply | undefined;
}

/** The key that a call is counted under; undefined: not counted here. */
const KEYS: Partial<Record<string, (caller: ThrottledCall) => string | undefined>> = {
  anonymousInvoice: ({ principal, address }) => (principal.kind === 'anonymous' ? address : undefined),
  anonymousInvoiceFirst: ({ principal, address }) => (principal.kind === 'anonymous' ? networkOf(address) : undefined),
  anonymousInvoiceAll: ({ principal }) => (principal.kind === 'anonymous' ? 'all' : undefined),
  // Only anonymous callers count: they must not use up the recipient's own calls.
  invoiceRecipient: ({ principal, args }) => (principal.kind === 'anonymous' ? recipientIn(args) : undefined),
  // By the account's owner: two hundred keys of one account are one caller.
  invoiceForOther: ({ principal, args }) =>
    principal.kind === 'anonymous' ? undefined : `${principal.userId ?? principal.id} ${recipientIn(args) ?? ''}`,
};
/** Buckets that many addresses share. The first calls of each network count too, but always pass: a crowd cannot block others. */
const CEILINGS: ReadonlySet<BucketName> = new Set(['anonymousInvoiceAll', 'invoiceRecipient']);

function recipientIn(args: unknown): string | undefined {
  const id = (args as { input?: { recipientWalletId?: unknown } }).input?.recipientWalletId;
  return typeof id === 'string' ? id.toLowerCase() : undefined;
}

/** @nestjs/throttler's guard, but counts a handler only in the buckets it names. */
@Injectable()
export class BucketGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    reflector: Reflector,
    private readonly throttle: Throttle,
    private readonly config: Config,
  ) {
    super(options, storage, reflector);
  }

  /**
   * The package counts short windows first. Here the order is from a caller's own bucket to the shared ones: a caller over its own limit
   * uses up nothing of a shared one.
   */
  override async onModuleInit(): Promise<void> {
    await super.onModuleInit();
    const order = Object.keys(this.config.throttle);
    this.throttlers.sort((one, other) => order.indexOf(one.name ?? '') - order.indexOf(other.name ?? ''));
  }

  protected override async handleRequest({ context, limit, ttl, throttler }: ThrottlerRequest): Promise<boolean> {
    const bucket = throttler.name as BucketName;
    if (!this.reflector.get<string[]>(BUCKETS, context.getHandler()).includes(bucket)) return true;
    const caller = callerOf(context);
    const key = (KEYS[bucket] ?? (({ address }) => address))(caller);
    if (key === undefined) return true;
    const counted = await this.storageService.increment(key, ttl, limit, 0, bucket);
    if (bucket === 'anonymousInvoiceFirst') {
      if (!counted.isBlocked) this.throttle.markFirst(caller.call);
      return true;
    }
    const hit = CEILINGS.has(bucket) && this.throttle.isFirst(caller.call) ? { ...counted, isBlocked: false } : counted;
    this.throttle.setRateLimitHeaders(caller.reply, bucket, hit);
    if (hit.isBlocked) throw new ThrottlerException();
    return true;
  }
}

function callerOf(context: ExecutionContext): ThrottledCall {
  if (context.getType<string>() === 'graphql') {
    const { principal, address, reply } = context.getArgByIndex<GqlContext>(2);
    return { call: context, principal, address, reply, args: context.getArgByIndex<unknown>(1) };
  }
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const { principal, address, body } = request;
  return { call: request, principal, address, reply: context.switchToHttp().getResponse<FastifyReply>(), args: body };
}
