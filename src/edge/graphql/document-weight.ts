import {
  Kind,
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** Fields of a fragment count at each spread of it. */
export const MAX_FIELDS = 5_000;
/** Validation compares each two fields with one response name, and each two spreads, in one selection. */
export const MAX_PAIRS = 10_000;

export interface Weight {
  readonly fields: number;
  readonly pairs: number;
}

const weights = new WeakMap<DocumentNode, Weight>();

/**
 * Bounds the work of validation before any rule of graphql-js runs: a few hundred characters of nested fragments can be as much work as
 * many pages of text. Fragments must not spread themselves.
 */
export function weightOf(document: DocumentNode): Weight {
  const known = weights.get(document);
  if (known) return known;
  const estimator = new WeightEstimator(document.definitions);
  for (const each of document.definitions) if (each.kind === Kind.OPERATION_DEFINITION) estimator.add(each);
  // A fragment that no operation spreads is an error, but validation compares its fields all the same.
  for (const each of document.definitions) if (each.kind === Kind.FRAGMENT_DEFINITION && !estimator.seen.has(each)) estimator.add(each);
  const { fields, pairs } = estimator;
  weights.set(document, { fields, pairs });
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
  /** By response name. */
  readonly fields: Map<string, { count: number; readonly sets: SelectionSetNode[] }>;
  spreads: number;
}
