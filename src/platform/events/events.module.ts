import { Global, Module } from '@nestjs/common';
import { ConsumerStore } from './consumer.store.js';
import { Events } from './events.js';

@Global()
@Module({ providers: [ConsumerStore, Events], exports: [ConsumerStore, Events] })
export class EventsModule {}
