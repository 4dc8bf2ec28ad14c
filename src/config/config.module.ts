import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Config } from './config.js';

/** Provides the one configuration that `createApp()` was called with. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: Config): DynamicModule {
    return { module: ConfigModule, providers: [{ provide: Config, useValue: config }], exports: [Config] };
  }
}
