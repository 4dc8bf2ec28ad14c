import { Module, type DynamicModule } from '@nestjs/common';
import { ConnectionRegistry } from './connection-registry.js';
import { ConnectionAuthenticator } from './connection-authenticator.js';
import { SocketServer } from './socket-server.js';
import { SubscriptionExecutor } from './subscription-executor.js';

@Module({})
export class SocketModule {
  static forRoot(graphql: DynamicModule): DynamicModule {
    return {
      module: SocketModule,
      imports: [graphql],
      providers: [ConnectionRegistry, ConnectionAuthenticator, SocketServer, SubscriptionExecutor],
    };
  }
}
