import { GraphQLScalarType, isScalarType, Kind, type ValueNode } from 'graphql';

/**
 * A lenient scalar returns it for input that it cannot accept. The input pipe turns it into the payload's `errors`, or one top-level
 * error, so that a bad value does not reject the document.
 */
export class InvalidValue {
  readonly code = 'INVALID_INPUT';

  constructor(readonly message: string) {}
}

export interface LenientScalar<Value> {
  readonly name: string;
  /** The only kind of literal accepted in a document; for whole numbers also `2.0`. For variables `parse` alone decides. */
  readonly literal: Kind.INT | Kind.STRING;
  /** A number with decimals counts as its whole part. */
  readonly truncates?: boolean;
  /** Never throws. Undefined stands for {@link InvalidValue} with the usual text, `Invalid value for <name>`. */
  readonly parse: (value: unknown) => Value | InvalidValue | undefined;
  /** Output. Throws for a value that must not leave, which is a bug and never the caller's mistake. */
  readonly serialize: (value: unknown) => Value;
}

export function lenientScalar<Value>({
  name,
  literal,
  truncates = false,
  parse,
  serialize,
}: LenientScalar<Value>): GraphQLScalarType<Value | InvalidValue, Value> {
  const read = (value: unknown): Value | InvalidValue => parse(value) ?? new InvalidValue(`Invalid value for ${name}`);
  const type = new GraphQLScalarType<Value | InvalidValue, Value>({
    name,
    serialize,
    parseValue: read,
    parseLiteral: (node) => read(node.kind === literal ? valueOf(node) : literal === Kind.INT ? wholePartOf(node, truncates) : undefined),
    extensions: { lenient: true },
  });
  // Merging the type into the SDL copies all its properties over the SDL's: an empty description would replace the written one.
  for (const property of ['description', 'specifiedByURL']) Reflect.deleteProperty(type, property);
  return type;
}

export const isLenientScalar = (type: unknown): boolean => isScalarType(type) && type.extensions['lenient'] === true;

/** Of `2.0`, or where that is permitted of `2.5`: by its digits, because a number would have rounded distant decimals. */
function wholePartOf(node: ValueNode, truncates: boolean): number | undefined {
  const whole = node.kind === Kind.FLOAT && (truncates ? /^\d+(?=\.\d+$)/ : /^-?\d+(?=\.0+$)/).exec(node.value);
  return whole ? Number(whole[0]) : undefined;
}

const valueOf = (node: ValueNode): unknown => {
  if (node.kind === Kind.INT) return Number(node.value);
  return node.kind === Kind.STRING ? node.value : undefined;
};
