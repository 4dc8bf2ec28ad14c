import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Log } from '../logging/index.js';
import { openDataSource } from './connection.js';
import { Database } from './database.js';
import type { DatabaseOptions } from './database-options.js';

export const DATABASE_OPTIONS = Symbol('database options');

/** One DataSource for the whole application; every other module injects `Database`. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseOptions): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        { provide: DATABASE_OPTIONS, useValue: options },
        { provide: DataSource, useFactory: () => openDataSource(options, new Log('Database')) },
        { provide: Database, useFactory: (source: DataSource) => new Database(source, options.longestStatementMs), inject: [DataSource] },
      ],
      exports: [Database, DATABASE_OPTIONS],
    };
  }
}
