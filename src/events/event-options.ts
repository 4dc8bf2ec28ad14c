export const EVENT_OPTIONS = Symbol('event options');

export interface EventOptions {
  /** How long events are kept for a durable consumer that has not handled them. */
  readonly keptHours: number;
}
