import { createTestApp as start, type TestApp as PublicTestApp, type TestAppOptions as PublicOptions } from '../../src/testing/index.js';
import { createTestDatabase, type TestDatabase } from './database.js';

export { freePort } from '../../src/testing/index.js';

export interface TestAppOptions extends Omit<PublicOptions, 'connection'> {
  /** Share the database (and so the world) of another application: a second process of the same installation. */
  readonly beside?: TestApp;
  /** A database that is there already. */
  readonly database?: TestDatabase;
}

/** What authors of extensions test with, on a database of the test run's cluster, which is dropped with it. */
export interface TestApp extends PublicTestApp {
  readonly database: TestDatabase;
}

export async function createTestApp({ beside, database: given, ...options }: TestAppOptions = {}): Promise<TestApp> {
  const database = beside?.database ?? given ?? (await createTestDatabase());
  const app = await start({ ...options, connection: database.connection });
  return {
    ...app,
    database,
    close: async () => {
      await app.close();
      if (!beside) await database.drop();
    },
  };
}
