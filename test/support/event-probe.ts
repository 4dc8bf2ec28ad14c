import type { EventEmitter } from 'node:events';
import { Events } from '../../src/events/index.js';
import type { TestApp } from './app.js';
import { eventually } from '../../src/testing/eventually.js';

/**
 * The protocol does not report when a subscription runs. This waits until `start` has added `more` listeners of one key of a topic
 * to the application.
 */
export async function untilListening(app: TestApp, topic: string, key: string, start: () => unknown, more = 1): Promise<void> {
  const { bus } = app.get(Events) as unknown as { bus: EventEmitter };
  const count = (): number => bus.listenerCount(`${topic} ${key}`);
  const before = count();
  await start();
  await eventually(() => count() >= before + more);
}
