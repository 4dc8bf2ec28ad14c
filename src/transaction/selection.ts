import { Kind, type FieldNode, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql';

/** The fields of a transaction that a brief row answers, and those of the connection around it. */
const BRIEF: ReadonlySet<string> = new Set([
  ...['__typename', 'edges', 'node', 'cursor', 'pageInfo', 'hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor'],
  ...['id', 'direction', 'status', 'memo', 'createdAt', 'settlementAmount', 'settlementFee', 'settlementCurrency'],
]);

/** By field: its document is parsed once, and asked often. */
const known = new WeakMap<FieldNode, boolean>();

type Fragments = GraphQLResolveInfo['fragments'];

/** Does this list of transactions select only what a brief row has? A field that is not known here, as an extension's, needs the whole row. */
export const selectsBriefRows = ({ fieldNodes, fragments }: GraphQLResolveInfo): boolean =>
  fieldNodes.every((node) => {
    const before = known.get(node);
    if (before !== undefined) return before;
    const isBrief = node.selectionSet !== undefined && selectsOnlyBrief(node.selectionSet, fragments);
    known.set(node, isBrief);
    return isBrief;
  });

const selectsOnlyBrief = ({ selections }: SelectionSetNode, fragments: Fragments): boolean =>
  selections.every((each) => {
    if (each.kind === Kind.FIELD)
      return BRIEF.has(each.name.value) && (!each.selectionSet || selectsOnlyBrief(each.selectionSet, fragments));
    const inner = each.kind === Kind.INLINE_FRAGMENT ? each : fragments[each.name.value];
    return inner !== undefined && selectsOnlyBrief(inner.selectionSet, fragments);
  });
