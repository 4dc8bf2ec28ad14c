import {
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  isListType,
  Kind,
  type ASTVisitor,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  TypeInfo,
  ValidationContext,
  type ValidationRule,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { madeOnce } from '../../platform/kernel/made-once.js';
import { MAX_PAGE } from './connection.js';
import { closeDocument, faultsOfDocument, tooComplex } from './document-faults.js';
import type { GraphqlSettings } from './graphql.settings.js';

/** Assumed length of lists without pages: wallets of an account, rows of one payment. */
const LIST_LENGTH = 2;
/**
 * Longer lists: every active key, and the latest that have ended; every currency, the prices of a range; endpoints and their latest deliveries;
 * the attempts to pay an invoice, and deposits that are not credited yet.
 */
const LONGER_LISTS: ReadonlyMap<string, number> = new Map([
  ['apiKeys', 700],
  ['btcPriceList', 370],
  ['callbackEndpoints', 10],
  ['currencyList', 160],
  ['deliveries', 50],
  ['pendingIncomingTransactions', 100],
  ['pendingIncomingTransactionsByAddress', 100],
  ['transactionsByPaymentHash', 100],
  ['transactionsByPaymentRequest', 100],
]);
const LEAF_COSTS: ReadonlyMap<string, number> = new Map([['csvTransactions', 5_000]]);
const FIELDS_OF_A_TYPE = 10;
/** A caller that names a type chooses the one with the most fields. */
const SIZE_OF_A_NAMED_TYPE = 4;
/** Memory of a parsed document per token, measured: its nodes and the chain of tokens. */
const TOKEN_BYTES = 512;

/** The size of a document in a cache. The text length is no guide: two bytes of text can take half a kilobyte here. */
export const bytesOfDocument = ({ tokenCount = 0 }: DocumentNode): number => (tokenCount + 2) * TOKEN_BYTES;

const costs = new WeakMap<OperationDefinitionNode, number>();

export const costOf = (operation: OperationDefinitionNode): number => costs.get(operation) ?? 0;

/** Such documents may be as deep as tools need, and read no data. */
export function isIntrospection({ definitions }: DocumentNode): boolean {
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  return (
    operations.length > 0 &&
    operations.every(({ selectionSet }) =>
      selectionSet.selections.every((each) => each.kind === Kind.FIELD && each.name.value.startsWith('__')),
    )
  );
}

function repeats(node: FieldNode, type: GraphQLOutputType | undefined, schema: GraphQLSchema): number {
  if (!type) return 1;
  if (getNamedType(type).name.startsWith('__')) {
    if (node.name.value === 'types') return Object.keys(schema.getTypeMap()).length;
    if (node.name.value === 'fields') return FIELDS_OF_A_TYPE;
    if (node.name.value === '__type') return SIZE_OF_A_NAMED_TYPE;
  }
  if (!getNamedType(type).name.endsWith('Connection'))
    return isListType(getNullableType(type)) ? (LONGER_LISTS.get(node.name.value) ?? LIST_LENGTH) : 1;
  const asked = node.arguments?.find(({ name }) => name.value === 'first' || name.value === 'last')?.value;
  return asked?.kind === Kind.INT ? Math.min(MAX_PAGE, Math.max(1, Number(asked.value))) : MAX_PAGE;
}

interface Complexity {
  readonly depth: number;
  readonly cost: number;
}

/** Each fragment is measured once. Cyclic ones count as nothing: another rule refuses them. */
class ComplexityEstimator {
  private readonly types = new Map<FieldNode, GraphQLOutputType>();
  private readonly fragments = new Map<string, Complexity>();

  constructor(private readonly context: ValidationContext) {
    const info = new TypeInfo(context.getSchema());
    const note = (node: FieldNode): void => {
      const type = info.getType();
      if (type) this.types.set(node, type);
    };
    visit(context.getDocument(), visitWithTypeInfo(info, { Field: note }));
  }

  estimate(node: OperationDefinitionNode | FragmentDefinitionNode): Complexity {
    return this.selection(node.selectionSet);
  }

  private selection({ selections }: SelectionSetNode): Complexity {
    let [depth, cost] = [0, 0];
    for (const each of selections) {
      const complexity =
        each.kind === Kind.FIELD
          ? this.field(each)
          : each.kind === Kind.INLINE_FRAGMENT
            ? this.selection(each.selectionSet)
            : this.spread(each.name.value);
      depth = Math.max(depth, complexity.depth);
      cost += complexity.cost;
    }
    return { depth, cost };
  }

  private field(node: FieldNode): Complexity {
    if (!node.selectionSet) return { depth: 1, cost: LEAF_COSTS.get(node.name.value) ?? 1 };
    const { depth, cost } = this.selection(node.selectionSet);
    return { depth: depth + 1, cost: 1 + cost * repeats(node, this.types.get(node), this.context.getSchema()) };
  }

  private spread(name: string): Complexity {
    const known = this.fragments.get(name);
    if (known) return known;
    this.fragments.set(name, { depth: 0, cost: 0 });
    const fragment = this.context.getFragment(name);
    const complexity = fragment ? this.estimate(fragment) : { depth: 0, cost: 0 };
    this.fragments.set(name, complexity);
    return complexity;
  }
}

const standardCosts = new WeakMap<GraphQLSchema, number>();

/** Operations about the schema alone may cost as much as the standard introspection query with every option. */
function standardCost(schema: GraphQLSchema): number {
  const everything = {
    inputValueDeprecation: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    oneOf: true,
  };
  const document = parse(getIntrospectionQuery(everything));
  const estimator = new ComplexityEstimator(new ValidationContext(schema, document, new TypeInfo(schema), () => undefined));
  const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  return operation ? estimator.estimate(operation).cost : 0;
}

/** Checked once per document, then cached with it. The parser limits tokens. */
export const limitRule =
  ({
    GRAPHQL_DOCUMENT_BYTES: documentBytes,
    GRAPHQL_DEPTH: depth,
    GRAPHQL_ALIASES: aliases,
    GRAPHQL_COST: cost,
  }: GraphqlSettings): ValidationRule =>
  (context: ValidationContext): ASTVisitor => {
    const [document, schema] = [context.getDocument(), context.getSchema()];
    const faults = faultsOfDocument(schema, document, documentBytes);
    if (faults.length > 0) {
      for (const fault of faults) context.reportError(fault);
      closeDocument(document);
      return {};
    }
    const ofSchema = isIntrospection(document);
    const [maxDepth, maxCost] = ofSchema ? [Infinity, madeOnce(standardCosts, schema, () => standardCost(schema))] : [depth, cost];
    const estimator = new ComplexityEstimator(context);
    let aliased = 0;
    return {
      Field(node) {
        if (node.alias && ++aliased === aliases + 1) context.reportError(tooComplex(`The document has more than ${aliases} aliases`));
      },
      OperationDefinition(node) {
        const complexity = estimator.estimate(node);
        costs.set(node, complexity.cost);
        if (complexity.depth > maxDepth)
          context.reportError(tooComplex(`The document is ${complexity.depth} levels deep; the limit is ${depth}`));
        if (complexity.cost > maxCost)
          context.reportError(tooComplex(`The document has a cost of ${complexity.cost}; the limit is ${maxCost}. Request smaller pages.`));
      },
    };
  };
