import { GraphQLScalarType, isScalarType, Kind, type ValueNode } from 'graphql';

/**
 * What a soft scalar makes of input it cannot accept. It travels in the arguments as if it were a value, to whoever turns it into the
 * payload's `errors` (or one top-level error): a mistake in a value is told like every other refusal, and not by a rejected document.
 */
export class Invalid {
  readonly code = 'INVALID_INPUT';

  constructor(readonly message: string) {}
}

export interface SoftScalar<Value> {
  readonly name: string;
  /** The one kind of literal accepted in a document; for whole numbers `2.0` is one too. In variables `parse` alone decides. */
  readonly literal: Kind.INT | Kind.STRING;
  /** Never throws. Undefined stands for {@link Invalid} with the usual text, `Invalid value for <name>`. */
  readonly parse: (value: unknown) => Value | Invalid | undefined;
  /** What goes out. Throws for what must not, which is a bug and never the caller's mistake. */
  readonly serialize: (value: unknown) => Value;
}

/** A scalar that never rejects a document: `parseValue` and `parseLiteral` answer a value or an {@link Invalid}, whatever comes. */
export function softScalar<Value>({ name, literal, parse, serialize }: SoftScalar<Value>): GraphQLScalarType<Value | Invalid, Value> {
  const read = (value: unknown): Value | Invalid => parse(value) ?? new Invalid(`Invalid value for ${name}`);
  const type = new GraphQLScalarType<Value | Invalid, Value>({
    name,
    serialize,
    parseValue: read,
    parseLiteral: (node) => read(node.kind === literal || (literal === Kind.INT && isWholeFloat(node)) ? valueOf(node) : undefined),
    extensions: { soft: true },
  });
  // Whoever joins it to the SDL copies all its properties over what the SDL says: an empty description over the written one.
  for (const property of ['description', 'specifiedByURL']) Reflect.deleteProperty(type, property);
  return type;
}

/** Can arguments of this type arrive as {@link Invalid}? */
export const isSoftScalar = (type: unknown): boolean => isScalarType(type) && type.extensions['soft'] === true;

/** `2.0`: by its digits, because a number would have lost what is far behind the point. */
const isWholeFloat = (node: ValueNode): boolean => node.kind === Kind.FLOAT && /^-?\d+\.0+$/.test(node.value);

const valueOf = (node: ValueNode): unknown => {
  if (node.kind === Kind.INT || node.kind === Kind.FLOAT) return Number(node.value);
  return node.kind === Kind.STRING ? node.value : undefined;
};
