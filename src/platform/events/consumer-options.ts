import type { Tx } from '../database/index.js';
import type { EventMap, Topic } from './event-map.js';

/** Events that a transaction handles: others wait for its locks. */
export const MAX_HANDLED = 50;
/** Before the next attempt of an event that has failed. */
export const MAX_PAUSE_SECONDS = 300;

/**
 * Handles one event. What it writes by `tx` is committed together with the consumer's position: once. Effects elsewhere may be repeated.
 * @param tx ends with the handler
 */
export type ConsumeEvent<T extends Topic> = (event: EventMap[T], tx: Tx, key: string) => Promise<void>;

/** An event with the key that it was published under. */
export interface KeyedEvent<T extends Topic> {
  readonly event: EventMap[T];
  readonly key: string;
}

/** Handles the next events of a consumer in one call, in the order of their commits, under the rules of `ConsumeEvent`. */
export type ConsumeEvents<T extends Topic> = (events: readonly KeyedEvent<T>[], tx: Tx) => Promise<void>;

/** Picks the keys whose events a consumer handles. The others pass without a call, and their rows are not read. @param tx ends with the call */
export type PickKeys = (keys: readonly string[], tx: Tx) => Promise<readonly string[]>;

export interface ConsumeOptions {
  /** A consumer without a position begins with the next event, which is the default, or with the oldest that is kept. */
  readonly from?: 'next' | 'oldest';
  /** Without it the consumer handles the events of every key. */
  readonly pick?: PickKeys;
}

export interface ConsumerOptions {
  readonly name: string;
  readonly topic: Topic;
  readonly handle: ConsumeEvents<Topic>;
  readonly atOnce: number;
  readonly pick: PickKeys | undefined;
  /** A new consumer begins with the oldest event that is kept, and not with the next one. */
  readonly fromStart: boolean;
}
