import { createTestApp as start, type TestApp as PublicTestApp, type TestAppOptions as PublicOptions } from '../../src/testing/index.js';
import { createTestDatabase, type TestDatabase } from './database.js';

export { freePort } from '../../src/testing/index.js';

/** For tests whose subject is what a hash costs: every setting as it is shipped. */
export const REAL_HASHES = {};

export interface TestAppOptions extends Omit<PublicOptions, 'connection'> {
  /** Shares the database (and so the simulated world) of another application: a second process of the same installation. */
  readonly beside?: TestApp;
  /** An existing database. */
  readonly database?: TestDatabase;
}

/** The application that `sluice/testing` offers, on a database of the test run's cluster, which is dropped with it. */
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
