import fc from 'fast-check';
import { Kind, type ConstValueNode, type GraphQLScalarType } from 'graphql';
import { isStorable } from '../../platform/kernel/text.js';
import { InvalidValue } from './scalar.js';
import { scalarResolvers } from './scalars.js';

const scalar = (name: string): GraphQLScalarType => {
  const found = scalarResolvers[name];
  if (!found) throw new Error(`No scalar ${name}`);
  return found;
};

describe('scalars with random input', () => {
  const names = Object.keys(scalarResolvers);
  const anything = fc.oneof(
    fc.anything({ withBigInt: true, withDate: true, withSparseArray: true, withTypedArray: true, withNullPrototype: true }),
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.constantFrom(Symbol('x'), () => 1, new Proxy({}, {})),
  );

  it.each(names)('%s returns a value that it could serialize, or Invalid; it never throws', (name) => {
    fc.assert(
      fc.property(anything, (value) => {
        const taken = scalar(name).parseValue(value);
        if (taken instanceof InvalidValue) return taken.code === 'INVALID_INPUT' && taken.message !== '';
        return scalar(name).serialize(taken) === taken && (typeof taken !== 'string' || isStorable(taken));
      }),
    );
  });

  const literals = fc.letrec<{ node: ConstValueNode }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.string({ unit: 'binary' }).map((value): ConstValueNode => ({ kind: Kind.STRING, value })),
      fc.bigInt().map((value): ConstValueNode => ({ kind: Kind.INT, value: String(value) })),
      fc.double().map((value): ConstValueNode => ({ kind: Kind.FLOAT, value: String(value) })),
      fc.boolean().map((value): ConstValueNode => ({ kind: Kind.BOOLEAN, value })),
      fc.constant<ConstValueNode>({ kind: Kind.NULL }),
      fc.string().map((value): ConstValueNode => ({ kind: Kind.ENUM, value })),
      fc.array(tie('node')).map((values): ConstValueNode => ({ kind: Kind.LIST, values })),
    ),
  })).node;

  it.each(names)('%s parses any literal without throwing', (name) => {
    fc.assert(
      fc.property(literals, (node) => {
        const taken = scalar(name).parseLiteral(node, {});
        return taken instanceof InvalidValue || scalar(name).serialize(taken) === taken;
      }),
    );
  });
});
