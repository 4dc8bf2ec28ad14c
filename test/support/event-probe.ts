import { Events } from '../../src/platform/events/index.js';
import type { TestApp } from './app.js';
import { eventually } from '../../src/testing/eventually.js';

/** How many listeners one key of a topic has in this application. */
export function listenerCount(app: TestApp, topic: string, key: string): number {
  const { listeners } = app.get(Events) as unknown as { listeners: { bus: NodeJS.EventEmitter } };
  return listeners.bus.listenerCount(`${topic} ${key}`);
}

/**
 * The protocol does not report when a subscription runs. This waits until `start` has added `more` listeners of one key of a topic
 * to the application.
 */
export async function untilListening(app: TestApp, topic: string, key: string, start: () => unknown, more = 1): Promise<void> {
  const count = (): number => listenerCount(app, topic, key);
  const before = count();
  await start();
  await eventually(() => count() >= before + more);
}
