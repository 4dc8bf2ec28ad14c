export type { ConsumeEvent } from './consumer.js';
export { ConsumerStore } from './consumer.store.js';
export type { EventMap, Topic } from './event-map.js';
export { Events } from './events.js';
export { EventsModule } from './events.module.js';
export { listen, SlowReaderError } from './listen.js';
export { REVOCATION, revocationOf } from './revocation.js';
export type { ReadRows } from './row-readers.js';
export { mapped, only, streamOf, withCleanup, type Stream } from './stream.js';
