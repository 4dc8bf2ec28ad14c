import { Module, type DynamicModule } from '@nestjs/common';
import { ConnectionRegistry } from './connection-registry.js';
import { SocketGate } from './socket-gate.js';
import { SocketServer } from './socket-server.js';
import { SubscriptionPlanner } from './subscription-plan.js';

/** `graphql-transport-ws` on `/graphql`. */
@Module({})
export class SocketModule {
  /** @param graphql the module whose schema is served */
  static forRoot(graphql: DynamicModule): DynamicModule {
    return { module: SocketModule, imports: [graphql], providers: [ConnectionRegistry, SocketGate, SocketServer, SubscriptionPlanner] };
  }
}
