export const EVENT_OPTIONS = Symbol('event options');

export interface EventOptions {
  /** Events are kept this long for a durable consumer that has not handled them. */
  readonly keptHours: number;
}
