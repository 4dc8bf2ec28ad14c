import { Global, Module, type DynamicModule } from '@nestjs/common';
import { ConsumerStore } from './consumer.store.js';
import { EVENT_OPTIONS, type EventOptions } from './event-options.js';
import { Events } from './events.js';

@Global()
@Module({})
export class EventsModule {
  static forRoot(options: EventOptions): DynamicModule {
    return {
      module: EventsModule,
      providers: [{ provide: EVENT_OPTIONS, useValue: options }, ConsumerStore, Events],
      exports: [ConsumerStore, Events],
    };
  }
}
