import { Global, Module, type DynamicModule, type Type } from '@nestjs/common';
import { Config } from './config.js';
import type { Settings } from './settings.js';

@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: Config, settings: Settings['settings'] = new Map()): DynamicModule {
    const values = new Map<Type<object>, object>([[Config, config], ...settings]);
    const providers = [...values].map(([provide, useValue]) => ({ provide, useValue }));
    return { module: ConfigModule, providers, exports: [...values.keys()] };
  }
}
