import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from '../../platform/metrics/index.js';
import { Counts } from '../../platform/kernel/counts.js';
import { PROBLEMS } from './problem.js';

/** Node's memory for each piece of a body beside its bytes, measured. A chunk of the transfer encoding may hold a single byte. */
const PIECE_BYTES = 256;
/** A body of the maximum size arrives in a few hundred packets. */
const MAX_PIECES = 4_096;

/** A body with a smaller Content-Length mostly arrives in one piece with its headers. */
const SHORT_BYTES = 4_096;

export const BODY_BYTES = { ofAddress: 8 * 2 ** 20, ofProcess: 64 * 2 ** 20 };

export class BodyRejectedError extends Error {
  constructor(
    readonly statusCode: 400 | 413 | 503,
    message: string = PROBLEMS.busy.message,
  ) {
    super(message);
  }
}

const IN_PIECES = 'The body comes in too many pieces, send it in larger ones';

/** A request is admitted as work only when its body is complete, so without this nothing would count the bodies that stop half-way. */
@Injectable()
export class ArrivingBodies {
  private readonly counts = new Counts();
  private readonly refusals: Counter<'bound'>;

  constructor(metrics: Metrics) {
    metrics.gauge('sluice_bodies_arriving_bytes', 'Memory of unfinished bodies', () => this.counts.total);
    this.refusals = metrics.counter('sluice_bodies_refused_total', 'Bodies that the server refused before their end, by bound', ['bound']);
  }

  /** Must be called before the body is read, in the same tick. `refuse` is called at most once. */
  watch(address: string, payload: IncomingMessage, refuse: (because: BodyRejectedError) => void): void {
    if (!(Number(payload.headers['content-length']) <= SHORT_BYTES)) return this.count(address, payload, refuse);
    // Counted only if the body did not end with its headers. The bytes that came by then are fewer than a connection takes.
    setImmediate(() => {
      if (!payload.complete && !payload.destroyed) this.count(address, payload, refuse);
    });
  }

  private count(address: string, payload: IncomingMessage, refuse: (because: BodyRejectedError) => void): void {
    let [pieces, kept] = [0, 0];
    const stop = (): void => {
      payload.off('data', note);
      payload.off('end', stop);
      payload.off('close', stop);
      this.counts.add(address, -kept);
      kept = 0;
    };
    const note = ({ length }: Buffer): void => {
      const bytes = length + PIECE_BYTES;
      kept += bytes;
      this.counts.add(address, bytes);
      const bound = ++pieces > MAX_PIECES ? 'pieces' : this.boundReached(address);
      if (!bound) return;
      stop();
      this.refusals.inc({ bound });
      refuse(bound === 'pieces' ? new BodyRejectedError(413, IN_PIECES) : new BodyRejectedError(503));
    };
    payload.on('data', note);
    payload.on('end', stop);
    payload.on('close', stop);
  }

  private boundReached(address: string): 'address' | 'process' | undefined {
    if (this.counts.of(address) > BODY_BYTES.ofAddress) return 'address';
    return this.counts.total > BODY_BYTES.ofProcess ? 'process' : undefined;
  }
}
