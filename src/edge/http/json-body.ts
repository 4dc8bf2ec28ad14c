import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { BodyRejectedError } from './arriving-bodies.js';
import { TurnRefusedError } from './fair-queue.js';
import { faultOfJson } from '../../platform/kernel/json-text.js';

/** The longest document fits, and variables four times its length, as on a socket. Only callers with a credential send more. */
const ANONYMOUS_GRAPHQL_BYTES = 64 * 1024;
/** A longer body waits for its turn: parsing 256 KiB can take as long as ten calls. */
const LONG_BYTES = 64 * 1024;

type Done = (error: Error | null, body?: unknown) => void;

export function registerJsonParser(adapter: FastifyAdapter): void {
  const parse = adapter.getInstance().getDefaultJsonParser('remove', 'remove') as (
    request: FastifyRequest,
    text: string,
    done: Done,
  ) => void;
  const parser = (request: FastifyRequest, body: Buffer, done: Done): void => {
    if (isTooLong(request, body))
      return done(new BodyRejectedError(413, `Send at most ${ANONYMOUS_GRAPHQL_BYTES / 1024} KiB, or a credential`));
    const read = (): void => {
      const text = body.toString('utf8');
      const fault = faultOfJson(text);
      if (fault !== undefined) return done(new BodyRejectedError(400, fault));
      parse(request, text, done);
    };
    if (body.length <= LONG_BYTES) read();
    else inTurn(request, read).catch((error: Error) => done(error));
  };
  adapter.useBodyParser('application/json', true, {}, parser);
}

const isTooLong = ({ principal, routeOptions: { url } }: FastifyRequest, { length }: Buffer): boolean =>
  url === '/graphql' && principal.kind === 'anonymous' && length > ANONYMOUS_GRAPHQL_BYTES;

/** It holds its slot while it waits, so that the bodies that wait are as few as requests in progress. */
async function inTurn({ work, principal }: FastifyRequest, read: () => void): Promise<void> {
  if (!work.enter(principal)) throw new BodyRejectedError(503);
  try {
    await work.all.thread.run(work.owner, read, work);
  } catch (error) {
    if (!(error instanceof TurnRefusedError)) throw error;
    work.all.notBegun(error, work.owner);
    throw new BodyRejectedError(503);
  }
}
