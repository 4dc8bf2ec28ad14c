import { fragment, sql, type Columns, type Fragment, type Statement } from '../database/index.js';
import type { EventMap, Topic } from './event-map.js';

/** A table whose rows the events of a topic name: each payload has the `id`, a uuid, of one. */
export interface RowSource<T extends Topic, Row extends object> {
  readonly table: Fragment;
  readonly columns: Columns<Row>;
  /** Makes what handlers receive. @param stored the payload of the event, as `event_add` got it */
  at(row: Row, stored: unknown): EventMap[T];
}

export interface TopicRows extends Pick<RowSource<Topic, object>, 'table' | 'columns'> {
  readonly topic: string;
  at(row: object, stored: unknown): unknown;
}

export const rowsById = ({ table, columns }: TopicRows): Statement =>
  sql`SELECT ${columns.of('r')} FROM ${table} r WHERE r.id = ANY ($1::uuid[])`;

/**
 * Adds columns and a join for each source to a statement over events, called `item`. $2, $3 ... are the topics of the sources, or NULL for
 * one that is not wanted. OFFSET 0 keeps PostgreSQL from joining whole tables.
 */
export function rowsOfItems(sources: readonly TopicRows[], condition: Fragment): { readonly columns: Fragment; readonly joins: Fragment } {
  let columns = fragment``;
  let joins = fragment``;
  for (const [index, source] of sources.entries()) {
    const row = `r${index}`;
    columns = fragment`${columns}, ${source.columns.of(row)}`;
    joins = fragment`${joins}
    LEFT JOIN LATERAL (SELECT r.* FROM ${source.table} r
                        WHERE ${condition} AND item.topic = $${index + 2} AND r.id = (item.payload->>'id')::uuid OFFSET 0) r${index} ON true`;
  }
  return { columns, joins };
}

/** The row that `rowsOfItems` has read for an event; undefined if there is none. @param values those of its columns, in their order */
export function rowOfItem(sources: readonly TopicRows[], topic: string, values: readonly unknown[]): object | undefined {
  let first = 0;
  for (const { topic: own, columns } of sources) {
    if (own === topic) return columns.rowOf(values.slice(first, first + columns.length));
    first += columns.length;
  }
  return undefined;
}
