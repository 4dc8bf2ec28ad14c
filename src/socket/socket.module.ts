import { Module } from '@nestjs/common';
import { ConnectionRegistry } from './connection-registry.js';
import { SocketGate } from './socket-gate.js';
import { SocketServer } from './socket-server.js';
import { SubscriptionPlanner } from './subscription-plan.js';

/** `graphql-transport-ws` on `/graphql`. */
@Module({ providers: [ConnectionRegistry, SocketGate, SocketServer, SubscriptionPlanner] })
export class SocketModule {}
