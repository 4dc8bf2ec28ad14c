import { int, Setting } from '../config/index.js';

export class EventSettings {
  static readonly title = 'Events';

  @Setting(
    'how long Sluice keeps events for a durable consumer of an extension that has not handled them; then it stops the consumer. Other events are kept for an hour',
  )
  @int(1, 24 * 90)
  EVENT_KEEP_HOURS = 72;
}
