import { Injectable } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';

/** A named prepared statement: planned once a connection. The name must be unique to its text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** What runs inside one transaction. Whoever is handed a `Tx` joins it and never commits. */
export interface Tx {
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** How Sluice reads PostgreSQL's types: `int8` is a bigint, never a string or a lossy number. */
export const pgTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary'): unknown =>
    oid === pg.types.builtins.INT8
      ? (text: string) => BigInt(text)
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};

const ask = async <Row>(via: pg.Pool | pg.PoolClient, statement: Statement, values: readonly unknown[]): Promise<Row[]> => {
  const { rows } = await via.query({ ...statement, values: values as unknown[] });
  return rows as Row[];
};

/** The database as the application sees it: statements over TypeORM's own pool. Money moves through SQL functions, never `save()`. */
@Injectable()
export class Database {
  constructor(readonly dataSource: DataSource) {}

  /** One statement, one round trip. */
  query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    return ask<Row>(this.pool, statement, values);
  }

  /** READ COMMITTED. Rolls back when `work` throws; no network call but the database's belongs inside. */
  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work({
        query: <Row>(statement: Statement, values: readonly unknown[] = []) => ask<Row>(client, statement, values),
      });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((failed: Error) => (broken = failed));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** The last thing of all: whoever still answers a request needs it. */
  async close(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  private get pool(): pg.Pool {
    return (this.dataSource.driver as unknown as { master: pg.Pool }).master;
  }
}
