import { Get, Req, Res, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator, CredentialCache, Public, RevocationPoller, type Visitor } from '../../edge/auth/index.js';
import { PageController, PageError, moneyText } from '../../edge/page/index.js';
import { AccountService } from '../../money/wallet/index.js';
import type { ServerResponse } from 'node:http';
import { Events } from '../../platform/events/index.js';
import { destroyIfUnread, endWork } from '../../edge/http/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import type { TransactionRow } from '../../money/transaction/index.js';
import { moneyOf, shownAmount } from '../activity/amount.js';

const MAX_PER_SESSION = 10;
/** Proxies close a connection that is silent for a minute. */
const HEARTBEAT_MS = 25_000;

/** Server-sent events for open pages: one sentence per event. They end with the session. */
@Injectable()
export class LiveFeed implements OnModuleDestroy {
  private readonly listeners = new Map<string, Set<ServerResponse>>();

  constructor(
    private readonly events: Events,
    private readonly clock: Clock,
    revocations: RevocationPoller,
  ) {
    revocations.registerConnections(() => [...this.listeners.keys()].map((id) => ({ kind: 'session', id })));
  }

  /** Runs before the HTTP server closes, which waits for open responses. */
  onModuleDestroy(): void {
    for (const responses of this.listeners.values()) for (const response of responses) response.end();
  }

  /**
   * Listening does not count as use of the session: the feed ends when the session has been idle too long, and a page whose session is
   * still valid reconnects.
   */
  open(reply: FastifyReply, { session: { id: sessionId, leftSeconds }, user }: Visitor, accountId: string): void {
    const listening = this.listeners.get(sessionId) ?? new Set<ServerResponse>();
    if (listening.size >= MAX_PER_SESSION) throw new PageError({ kind: 'error', error: 'slow', retryAfterSeconds: 60 });
    reply.hijack();
    endWork(reply.request);
    const response = reply.raw;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    this.listeners.set(sessionId, listening.add(response));
    const end = (): void => void response.end();
    const stops = [
      this.events.on('transaction.changed', (row) => publish(response, row), accountId),
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
      listening.delete(response);
      if (listening.size === 0 && this.listeners.get(sessionId) === listening) this.listeners.delete(sessionId);
    };
    response.on('close', stop);
    socket.on('close', stop); // a response that is queued behind another has no socket and never emits 'close'
    if (socket.destroyed) return stop();
    response.write('retry: 5000\n\n');
  }
}

function publish(response: ServerResponse, row: TransactionRow): void {
  const { currency, direction, status } = row;
  const amount = shownAmount(row);
  const words = moneyText(moneyOf(amount < 0n ? -amount : amount, currency));
  const said = status === 'PENDING' ? 'Pending' : status === 'FAILURE' ? 'Payment failed' : direction === 'SEND' ? 'Sent' : 'Received';
  response.write(`data: ${said}: ${words}\n\n`);
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
