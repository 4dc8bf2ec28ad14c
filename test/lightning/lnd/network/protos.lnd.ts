import type { loadSync } from '@grpc/proto-loader';
import { loadLndServices } from '../../../../src/money/lightning/lnd/lnd-connection.js';
import { lndsOwnServices } from './protos.js';

interface Member {
  readonly name: string;
  readonly number: number;
  readonly label?: string;
  readonly type?: string;
  readonly typeName?: string;
}

/** The members of messages and enums as one line each, and the methods of services with their types. */
function linesOf(definitions: ReturnType<typeof loadSync>): string[] {
  return Object.entries(definitions).flatMap(([name, definition]) => {
    if ('format' in definition) {
      const { field = [], value = [] } = definition.type as { field?: readonly Member[]; value?: readonly Member[] };
      const plain = ({ typeName = '' }: Member): string => typeName.split('.').at(-1) ?? '';
      return [...field, ...value].map((each) =>
        [name, each.name, each.number, each.label, each.type, plain(each)].filter((part) => part !== undefined && part !== '').join(' '),
      );
    }
    return Object.entries(definition).map(([method, { path, requestStream, responseStream, requestType, responseType }]) =>
      [name, method, path, requestStream, responseStream, nameOf(requestType), nameOf(responseType)].join(' '),
    );
  });
}

const nameOf = (message: object): string => (message as { type: { name: string } }).type.name;

describe('the messages of LND that Sluice knows', () => {
  it('have the names, numbers and types of the files of this LND', () => {
    const [own, lnds] = [linesOf(loadLndServices()), new Set(linesOf(lndsOwnServices()))];
    expect(own.length).toBeGreaterThan(100);
    expect(own.filter((line) => !lnds.has(line))).toEqual([]);
  });

  it('planted: a wrong number is found', () => {
    const lnds = new Set(linesOf(lndsOwnServices()));
    const wrong = linesOf(loadLndServices()).map((line) => line.replace('payment_preimage 6', 'payment_preimage 7'));
    expect(wrong.filter((line) => !lnds.has(line))).toHaveLength(1);
  });
});
