import { Database, type Statement } from '../../src/platform/database/index.js';
import type { TestApp } from './app.js';

/** Does this statement call this SQL function? */
export const calls = ({ text }: { readonly text: string }, sqlFunction: string): boolean => text.includes(`${sqlFunction}(`);

/** A statement that an application has sent, with its values. */
export type Sent = readonly [text: string, values: readonly unknown[]];

/** Records the statements of an application from now on, those of its background work too. */
export function recordStatements(app: TestApp): Sent[] {
  const sent: Sent[] = [];
  const database = app.get(Database);
  const query = database.query.bind(database);
  database.query = (statement: Statement, values: readonly unknown[] = []) => {
    sent.push([statement.text, values]);
    return query(statement, values);
  };
  return sent;
}
