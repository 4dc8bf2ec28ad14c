import { Injectable } from '@nestjs/common';
import { Events } from '../../../platform/events/index.js';
import { Log } from '../../../platform/logging/index.js';
import { Loops } from '../../../platform/loop/index.js';
import { PaymentSettings } from '../payment.settings.js';
import { ReconcileStore } from '../reconcile.store.js';

const SIGNS = 6;

/** Gives signs of life of this process, by which another one knows whether a payment that this one has sent can still be on its way. */
@Injectable()
export class DispatcherLife {
  private readonly log = new Log(DispatcherLife.name);

  constructor(settings: PaymentSettings, store: ReconcileStore, events: Events, loops: Loops) {
    loops.run({
      name: 'payment_dispatcher',
      pauseMs: (settings.dispatcherSilentSeconds * 1_000) / SIGNS,
      round: () => store.lives(events.sessionPid()),
      onFailure: ({ message }) => this.log.warn('payment_dispatcher_silent', {}, `No sign of life could be stored: ${message}`),
    });
  }
}
