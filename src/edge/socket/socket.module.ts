import { Module, type DynamicModule } from '@nestjs/common';
import { ConnectionRegistry } from './connection-registry.js';
import { ConnectionAuthenticator } from './connection-authenticator.js';
import { SocketServer } from './socket-server.js';
import { SubscriptionExecutor } from './subscription-executor.js';

/** `graphql-transport-ws` on `/graphql`. */
@Module({})
export class SocketModule {
  /** @param graphql the module whose schema is served */
  static forRoot(graphql: DynamicModule): DynamicModule {
    return {
      module: SocketModule,
      imports: [graphql],
      providers: [ConnectionRegistry, ConnectionAuthenticator, SocketServer, SubscriptionExecutor],
    };
  }
}
