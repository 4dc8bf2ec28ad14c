import { EventEmitter } from 'node:events';
import { Counts } from '../kernel/counts.js';
import type { Log } from '../logging/index.js';
import { listen } from './listen.js';
import { Listener, type EventHandler } from './listener.js';
import type { Stream } from './stream.js';

interface Named {
  readonly topic: string;
  readonly key: string;
}

/** Symbols, so that they equal no topic. */
const GAP = Symbol('gap');

export class Listeners {
  private readonly bus = new EventEmitter().setMaxListeners(0);
  private readonly byTopic = new Counts();

  constructor(private readonly log: Log) {
    const count = (by: number) => (name: string | symbol) => {
      if (typeof name === 'symbol') return;
      const [topic = ''] = name.split(' ', 1);
      this.byTopic.add(topic, by);
    };
    this.bus.on('removeListener', count(-1));
    this.bus.on('newListener', count(1));
  }

  add<T>(topic: string, handler: EventHandler<T>, only: string | undefined): () => void {
    const name = only === undefined ? topic : `${topic} ${only}`;
    const { take } = new Listener<T>(topic, only === undefined ? callerOfEvents() : handler.name, handler, this.log);
    this.bus.on(name, take);
    return () => void this.bus.off(name, take);
  }

  stream<T>(topic: string, key: string): Stream<T> {
    return listen<T>(this.bus, `${topic} ${key}`);
  }

  onGap(handler: () => void): () => void {
    this.bus.on(GAP, handler);
    return () => void this.bus.off(GAP, handler);
  }

  notify(event: Named, value: unknown): void {
    for (const name of namesOf(event)) this.bus.emit(name, value, event.key);
  }

  notifyOfGap(): void {
    this.bus.emit(GAP);
  }

  hears(event: Named): boolean {
    return namesOf(event).some((name) => this.bus.listenerCount(name) > 0);
  }

  hearsTopic(topic: string): boolean {
    return this.byTopic.of(topic) > 0;
  }
}

const namesOf = ({ topic, key }: Named): string[] => [topic, `${topic} ${key}`];

/** Frames of the stack: `Error`, this function, `Listeners.add`, `Events.on`. */
const OWN_FRAMES = 4;

function callerOfEvents(): string {
  const [frame = 'unknown'] = (new Error().stack ?? '').split('\n').slice(OWN_FRAMES);
  return frame.trim();
}
