import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Log } from '../logging/index.js';
import { openDataSource, poolOf } from './connection.js';
import pg from 'pg';
import { Database } from './database.js';
import type { DatabaseOptions } from './database-options.js';

export const DATABASE_OPTIONS = Symbol('database options');

@Global()
@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseOptions): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        { provide: DATABASE_OPTIONS, useValue: options },
        { provide: DataSource, useFactory: () => openDataSource(options, new Log('Database')) },
        { provide: pg.Pool, useFactory: poolOf, inject: [DataSource] },
        { provide: Database, useFactory: (pool: pg.Pool) => new Database(pool, options.maxStatementMs), inject: [pg.Pool] },
      ],
      exports: [Database, DATABASE_OPTIONS, DataSource],
    };
  }
}
