export type { EventMap, Topic } from './event-map.js';
export { Events } from './events.js';
export { EventsModule } from './events.module.js';
export { listen, ReaderTooSlow } from './listen.js';
export type { ReadRows } from './row-readers.js';
export { mapped, only, streamOf, tidied, type Stream } from './stream.js';
