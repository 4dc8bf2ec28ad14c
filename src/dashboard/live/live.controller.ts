import { Get, Req, Res, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  Authenticator,
  CallLimits,
  CredentialCache,
  EVENT_COST,
  Public,
  RevocationPoller,
  type Principal,
  type Visitor,
} from '../../edge/auth/index.js';
import { PageController, PageError, moneyText } from '../../edge/page/index.js';
import { AccountService } from '../../money/wallet/index.js';
import type { ServerResponse } from 'node:http';
import { Events } from '../../platform/events/index.js';
import { destroyIfUnread, endWork } from '../../edge/http/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import type { TransactionRow } from '../../money/transaction/index.js';
import { moneyOf, shownAmount } from '../activity/amount.js';

/** Each costs a write at each event of the account. */
const MAX_LISTENERS = 10;
/** Proxies close a connection that is silent for a minute. */
const HEARTBEAT_MS = 25_000;

interface AccountFeed {
  /** With the ids of their sessions. */
  readonly listeners: Map<ServerResponse, string>;
  readonly stop: () => void;
}

/** Server-sent events for open pages: one sentence per event, for all pages of an account. They end with the session. */
@Injectable()
export class LiveFeed implements OnModuleDestroy {
  private readonly feeds = new Map<string, AccountFeed>();

  constructor(
    private readonly events: Events,
    private readonly clock: Clock,
    private readonly limits: CallLimits,
    revocations: RevocationPoller,
  ) {
    const ids = (): string[] => [...this.feeds.values()].flatMap(({ listeners }) => [...listeners.values()]);
    revocations.registerConnections(() => [...new Set(ids())].map((id) => ({ kind: 'session', id })));
  }

  /** Runs before the HTTP server closes, which waits for open responses. */
  onModuleDestroy(): void {
    for (const { listeners } of this.feeds.values()) for (const response of listeners.keys()) response.end();
  }

  /**
   * Listening does not count as use of the session: the feed ends when the session has been idle too long, and a page whose session is
   * still valid reconnects.
   */
  open(reply: FastifyReply, { principal, session: { id: sessionId, leftSeconds }, user }: Visitor, accountId: string): void {
    const feed = this.feeds.get(accountId) ?? this.begin(accountId, principal);
    if (feed.listeners.size >= MAX_LISTENERS) throw new PageError({ kind: 'error', error: 'slow', retryAfterSeconds: 60 });
    reply.hijack();
    endWork(reply.request);
    const response = reply.raw;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    feed.listeners.set(response, sessionId);
    const end = (): void => void response.end();
    const stops = [
      this.events.on('credential.revoked', end, sessionId),
      this.events.on('credential.revoked', end, `user:${user.id}`),
      this.clock.timeout(leftSeconds * 1000, end),
    ];
    const heartbeat = setInterval(() => response.write(':\n\n'), HEARTBEAT_MS);
    const { socket } = reply.request.raw;
    destroyIfUnread(socket);
    const stop = (): void => {
      response.off('close', stop);
      socket.off('close', stop);
      clearInterval(heartbeat);
      stops.forEach((stop) => stop());
      feed.listeners.delete(response);
      if (feed.listeners.size === 0) this.end(accountId, feed);
    };
    response.on('close', stop);
    socket.on('close', stop); // a response that is queued behind another has no socket and never emits 'close'
    if (socket.destroyed) return stop();
    response.write('retry: 5000\n\n');
  }

  private begin(accountId: string, principal: Principal): AccountFeed {
    const listeners: AccountFeed['listeners'] = new Map();
    const publish = (row: TransactionRow): void => {
      const text = textOf(row);
      const mayHear = this.limits.countEvent(principal, '', listeners.size * EVENT_COST);
      for (const response of listeners.keys())
        if (mayHear) response.write(text);
        else response.end();
    };
    const feed = { listeners, stop: this.events.on('transaction.changed', publish, accountId) };
    this.feeds.set(accountId, feed);
    return feed;
  }

  private end(accountId: string, feed: AccountFeed): void {
    feed.stop();
    if (this.feeds.get(accountId) === feed) this.feeds.delete(accountId);
  }
}

function textOf(row: TransactionRow): string {
  const { currency, direction, status } = row;
  const amount = shownAmount(row);
  const words = moneyText(moneyOf(amount < 0n ? -amount : amount, currency));
  const pending = direction === 'SEND' ? 'Pending' : 'On its way';
  const said = status === 'PENDING' ? pending : status === 'FAILURE' ? 'Payment failed' : direction === 'SEND' ? 'Sent' : 'Received';
  return `data: ${said}: ${words}\n\n`;
}

@PageController('dashboard/events')
export class LiveController {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly feed: LiveFeed,
    private readonly accounts: AccountService,
    private readonly revocations: CredentialCache,
  ) {}

  /**
   * The request carries the page's cookie, so only a page of Sluice may listen. Public for the guard: the session is looked up here, between
   * two looks at the revocations.
   */
  @Get()
  @Public()
  async listen(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (request.headers['sec-fetch-site'] !== 'same-origin') throw new PageError({ kind: 'error', error: 'form' });
    for (;;) {
      const { epoch } = this.revocations;
      const visitor = await this.authenticator.findVisitor(request, reply);
      if (!visitor) throw new PageError({ kind: 'error', error: 'missing' });
      const { id: accountId } = await this.accounts.getOfUser(visitor.user.id);
      // A credential was revoked during the look-up; it may be this one, and no listener is registered yet: look again.
      if (epoch === this.revocations.epoch) return this.feed.open(reply, visitor, accountId);
    }
  }
}
