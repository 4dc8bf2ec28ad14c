import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { Authenticator, type CredentialStrategy, type PassportStrategy } from '../edge/auth/index.js';
import { CoreModule } from './core-module.js';

/** The team's strategies: providers that may inject the services of the public surface. */
@Module({})
export class StrategyModule {
  static forRoot(strategies: readonly CredentialStrategy[]): DynamicModule {
    const classes = strategies.map(({ strategy }) => strategy);
    const register = (authenticator: Authenticator, ...instances: PassportStrategy[]): null => {
      strategies.forEach((declared, i) => authenticator.useExternal({ ...declared, strategy: instances[i] as PassportStrategy }));
      return null;
    };
    const registration = { provide: 'registration of strategies', inject: [Authenticator, ...classes], useFactory: register };
    return { module: StrategyModule, imports: [CoreModule], providers: [...classes, registration] };
  }
}

/** A port of the organisation's own: a provider that may inject the services of the public surface. */
@Module({})
export class PortModule {
  static forRoot<Port extends object>(port: Type<Port>, user: Type<{ use(port: Port): void }>, home: Type[] = []): DynamicModule {
    const register = (core: { use(port: Port): void }, instance: Port): null => {
      core.use(instance);
      return null;
    };
    const registration = { provide: `registration of ${port.name}`, inject: [user, port], useFactory: register };
    return { module: PortModule, imports: [CoreModule, ...home], providers: [port, registration] };
  }
}
