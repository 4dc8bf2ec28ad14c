import { DataSource } from 'typeorm';
import { within } from '../kernel/within.js';

const CLOSE_MS = 5_000;
type Closing = Partial<Record<'onModuleDestroy' | 'beforeApplicationShutdown' | 'onApplicationShutdown', () => unknown>>;

/** Closes the parts of an application that could not be assembled: Nest calls no hooks of it, and it may hold connections and timers. */
export class MadeParts {
  private readonly parts: unknown[] = [];
  private isClosing = false;

  /** A part that is complete only after another part has failed is closed at once. */
  keep<T>(instance: T): T {
    if (this.isClosing) void closePart(instance);
    else this.parts.push(instance);
    return instance;
  }

  async close(): Promise<void> {
    this.isClosing = true;
    const closed = async (): Promise<void> => {
      for (const part of this.parts.toReversed()) await closePart(part);
    };
    await within(CLOSE_MS, closed(), () => undefined);
  }
}

async function closePart(part: unknown): Promise<void> {
  try {
    const { onModuleDestroy, beforeApplicationShutdown, onApplicationShutdown } = (part ?? {}) as Closing;
    for (const hook of [onModuleDestroy, beforeApplicationShutdown, onApplicationShutdown])
      if (typeof hook === 'function') await hook.call(part);
    if (part instanceof DataSource && part.isInitialized) await part.destroy();
  } catch {
    // The cause of the failed start is reported; what could not be closed ends with the process.
  }
}
