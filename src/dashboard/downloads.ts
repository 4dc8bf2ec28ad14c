import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Readable } from 'node:stream';
import { CallLimits, type Visitor } from '../edge/auth/index.js';
import { readInTurn, RETRY_AFTER } from '../edge/http/index.js';
import { PageError } from '../edge/page/index.js';
import type { FileRequest } from '../money/transaction/index.js';

type File = Readable | undefined;

/** Sends files of a person's rows, which count in the limits of the session and the account. */
@Injectable()
export class Downloads {
  constructor(private readonly callLimits: CallLimits) {}

  /** @throws PageError if other downloads of the account have not ended, or too many of the server */
  async send(
    { principal, user: { id: userId } }: Visitor,
    reply: FastifyReply,
    { type, name }: { readonly type: string; readonly name: string },
    open: (asked: FileRequest) => File | Promise<File>,
  ): Promise<void> {
    const { request } = reply;
    const inTurn: FileRequest['inTurn'] = (read) => readInTurn(request, userId, read);
    const charge = (cost: number): boolean => this.callLimits.chargeMore(principal, cost);
    // For HEAD, Fastify would read a file to its end.
    const file = request.method === 'HEAD' ? '' : await open({ inTurn, userId, charge });
    if (file === undefined) throw new PageError({ kind: 'error', error: 'busy', retryAfterSeconds: RETRY_AFTER.busy });
    void reply
      .header('content-type', `${type}; charset=utf-8`)
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      .send(file);
  }
}
