import {
  GraphQLError,
  NoFragmentCyclesRule,
  UniqueFragmentNamesRule,
  validate,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { madeOnce } from '../../platform/kernel/made-once.js';
import { faultOfSubscriptions } from './request-check.js';

/** Each error has a line number, and graphql-js counts the lines from the start for it. */
const MAX_LINES = 2_000;

/** Errors reported per document: graphql-js computes "did you mean" suggestions for each, which is costly. */
export const VALIDATION_OPTIONS = { maxErrors: 10 };

export const tooComplex = (message: string): GraphQLError => new GraphQLError(message, { extensions: { code: 'QUERY_TOO_COMPLEX' } });

const tooLong = (documentBytes: number): GraphQLError => tooComplex(`The document is longer than ${documentBytes} bytes`);

/** The length is checked before the text is parsed, because parsing block strings is costly. */
export const faultOfText = (text: unknown, documentBytes: number): GraphQLError | undefined =>
  typeof text === 'string' && text.length > documentBytes ? tooLong(documentBytes) : undefined;

const refused = new WeakMap<DocumentNode, readonly GraphQLError[]>();

export const refuseDocument = (document: DocumentNode, fault: GraphQLError): void => void refused.set(document, [fault]);

/** Faults for which the document is not validated further: each is found faster than the rules of graphql-js would run. */
export const faultsOfDocument = (schema: GraphQLSchema, document: DocumentNode, documentBytes: number): readonly GraphQLError[] =>
  madeOnce(refused, document, () => look(schema, document, documentBytes));

function look(schema: GraphQLSchema, document: DocumentNode, documentBytes: number): readonly GraphQLError[] {
  const text = document.loc?.source.body ?? '';
  if (Buffer.byteLength(text) > documentBytes) return [tooLong(documentBytes)];
  if (text.split(/\r\n|[\n\r]/, MAX_LINES + 1).length > MAX_LINES) return [tooComplex(`The document has more than ${MAX_LINES} lines`)];
  const fault = faultOfSubscriptions(document);
  if (fault) return [fault];
  // UniqueFragmentNamesRule too: the cycle rule looks at only one of two fragments with the same name.
  const [endless] = validate(schema, document, [UniqueFragmentNamesRule, NoFragmentCyclesRule], { maxErrors: 1 });
  if (endless) return [endless];
  const { fields, pairs } = weightOf(document);
  if (fields > MAX_FIELDS)
    return [tooComplex(`The document has more than ${MAX_FIELDS} fields, counting those of a fragment at each spread`)];
  if (pairs > MAX_PAIRS)
    return [tooComplex(`The document has more than ${MAX_PAIRS} pairs of fields with the same name in the same place`)];
  return [];
}

/** A rule cannot stop the other rules, which visit the document after its creation: without definitions they find nothing to visit. */
export const closeDocument = (document: DocumentNode): void => void (document.definitions as DefinitionNode[]).splice(0);

/** Fields of a fragment count at each spread of it. */
export const MAX_FIELDS = 5_000;
/** Validation compares each two fields with one response name, and each two spreads, in one selection. */
const MAX_PAIRS = 10_000;

interface Weight {
  readonly fields: number;
  readonly pairs: number;
}

const weights = new WeakMap<DocumentNode, Weight>();

/**
 * Bounds the work of validation before any rule of graphql-js runs: a few hundred characters of nested fragments can be as much work as
 * many pages of text. Fragments must not spread themselves.
 */
export const weightOf = (document: DocumentNode): Weight => madeOnce(weights, document, () => weigh(document));

function weigh(document: DocumentNode): Weight {
  const estimator = new WeightEstimator(document.definitions);
  for (const each of document.definitions) if (each.kind === Kind.OPERATION_DEFINITION) estimator.add(each);
  // A fragment that no operation spreads is an error, but validation compares its fields all the same.
  for (const each of document.definitions) if (each.kind === Kind.FRAGMENT_DEFINITION && !estimator.seen.has(each)) estimator.add(each);
  const { fields, pairs } = estimator;
  return { fields, pairs };
}

/** Selections of one response position are merged, as validation and execution do. */
class WeightEstimator implements Weight {
  fields = 0;
  pairs = 0;
  readonly seen = new Set<DefinitionNode>();
  private readonly fragments = new Map<string, FragmentDefinitionNode>();

  constructor(definitions: readonly DefinitionNode[]) {
    for (const each of definitions) if (each.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(each.name.value, each);
  }

  add(definition: OperationDefinitionNode | FragmentDefinitionNode): void {
    this.seen.add(definition);
    this.visit([definition.selectionSet]);
  }

  private visit(sets: readonly SelectionSetNode[]): void {
    const position: ResponsePosition = { fields: new Map(), spreads: 0 };
    for (const each of sets) this.collect(each, position);
    this.compare(position.spreads);
    for (const { count, sets: inner } of position.fields.values()) {
      this.compare(count);
      if (inner.length > 0 && !this.isTooMuch) this.visit(inner);
    }
  }

  private collect({ selections }: SelectionSetNode, position: ResponsePosition): void {
    for (const each of selections) {
      if (this.isTooMuch) return;
      if (each.kind === Kind.INLINE_FRAGMENT) {
        this.collect(each.selectionSet, position);
        continue;
      }
      this.fields++;
      if (each.kind === Kind.FRAGMENT_SPREAD) {
        position.spreads++;
        this.spread(each.name.value, position);
        continue;
      }
      const name = (each.alias ?? each.name).value;
      const same = position.fields.get(name) ?? { count: 0, sets: [] };
      position.fields.set(name, same);
      same.count++;
      if (each.selectionSet) same.sets.push(each.selectionSet);
    }
  }

  private spread(name: string, position: ResponsePosition): void {
    const fragment = this.fragments.get(name);
    if (!fragment) return;
    this.seen.add(fragment);
    this.collect(fragment.selectionSet, position);
  }

  private compare(count: number): void {
    this.pairs += (count * (count - 1)) / 2;
  }

  private get isTooMuch(): boolean {
    return this.fields > MAX_FIELDS || this.pairs > MAX_PAIRS;
  }
}

interface ResponsePosition {
  readonly fields: Map<string, { count: number; readonly sets: SelectionSetNode[] }>;
  spreads: number;
}
