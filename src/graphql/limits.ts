import {
  getNamedType,
  getNullableType,
  GraphQLError,
  isListType,
  Kind,
  type ASTVisitor,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLOutputType,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeInfo,
  type ValidationContext,
  type ValidationRule,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Config } from '../config/index.js';

const LONGEST_PAGE = 100;
const LIST_LENGTH = 2; // wallets of an account, rows of one payment: what our lists without pages hold

const tooComplex = (message: string): GraphQLError => new GraphQLError(message, { extensions: { code: 'QUERY_TOO_COMPLEX' } });

/** Does every operation ask about the schema only? Those always pass: tools send them, and they touch no data. */
function isIntrospection({ definitions }: DocumentNode): boolean {
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  return (
    operations.length > 0 &&
    operations.every(({ selectionSet }) =>
      selectionSet.selections.every((each) => each.kind === Kind.FIELD && each.name.value.startsWith('__')),
    )
  );
}

/** How many times the selection of a field is worked through: its page, its list, or once. */
function repeats(node: FieldNode, type: GraphQLOutputType | undefined): number {
  if (!type) return 1;
  if (!getNamedType(type).name.endsWith('Connection')) return isListType(getNullableType(type)) ? LIST_LENGTH : 1;
  const asked = node.arguments?.find(({ name }) => name.value === 'first' || name.value === 'last')?.value;
  return asked?.kind === Kind.INT ? Math.min(LONGEST_PAGE, Math.max(1, Number(asked.value))) : LONGEST_PAGE;
}

interface Measure {
  readonly depth: number;
  readonly cost: number;
}

/** Depth and cost of one operation, fragments included, each fragment measured once. Cyclic fragments count as nothing: another rule refuses them. */
class Scale {
  private readonly types = new Map<FieldNode, GraphQLOutputType>();
  private readonly fragments = new Map<string, Measure>();

  constructor(private readonly context: ValidationContext) {
    const info = new TypeInfo(context.getSchema());
    const note = (node: FieldNode): void => {
      const type = info.getType();
      if (type) this.types.set(node, type);
    };
    visit(context.getDocument(), visitWithTypeInfo(info, { Field: note }));
  }

  weigh(node: OperationDefinitionNode | FragmentDefinitionNode): Measure {
    return this.selection(node.selectionSet);
  }

  private selection({ selections }: SelectionSetNode): Measure {
    let [depth, cost] = [0, 0];
    for (const each of selections) {
      const measure =
        each.kind === Kind.FIELD
          ? this.field(each)
          : each.kind === Kind.INLINE_FRAGMENT
            ? this.selection(each.selectionSet)
            : this.spread(each.name.value);
      depth = Math.max(depth, measure.depth);
      cost += measure.cost;
    }
    return { depth, cost };
  }

  private field(node: FieldNode): Measure {
    if (!node.selectionSet) return { depth: 1, cost: 1 };
    const { depth, cost } = this.selection(node.selectionSet);
    return { depth: depth + 1, cost: 1 + cost * repeats(node, this.types.get(node)) };
  }

  private spread(name: string): Measure {
    const known = this.fragments.get(name);
    if (known) return known;
    this.fragments.set(name, { depth: 0, cost: 0 });
    const fragment = this.context.getFragment(name);
    const measure = fragment ? this.weigh(fragment) : { depth: 0, cost: 0 };
    this.fragments.set(name, measure);
    return measure;
  }
}

/** How long a document may be and what it may cost, as a validation rule: worked out once a document, then cached with it. Tokens are limited before. */
export const limitRule =
  ({ documentBytes, depth, aliases, cost }: Config['graphql']): ValidationRule =>
  (context: ValidationContext): ASTVisitor => {
    const document = context.getDocument();
    if (Buffer.byteLength(document.loc?.source.body ?? '') > documentBytes) {
      context.reportError(tooComplex(`The document is longer than ${documentBytes} bytes`));
      return {};
    }
    if (isIntrospection(document)) return {};
    const scale = new Scale(context);
    let aliased = 0;
    return {
      Field(node) {
        if (node.alias && ++aliased === aliases + 1) context.reportError(tooComplex(`The document has more than ${aliases} aliases`));
      },
      OperationDefinition(node) {
        const measure = scale.weigh(node);
        if (measure.depth > depth) context.reportError(tooComplex(`The document is ${measure.depth} levels deep; the limit is ${depth}`));
        if (measure.cost > cost)
          context.reportError(tooComplex(`The document may cost ${measure.cost}; the limit is ${cost}. Ask for shorter pages`));
      },
    };
  };
