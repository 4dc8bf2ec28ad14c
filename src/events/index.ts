export type { EventMap, Topic } from './event-map.js';
export { Events } from './events.js';
export { EventsModule } from './events.module.js';
export { listen, type Stream } from './listen.js';
export { mapped } from './stream.js';
