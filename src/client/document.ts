import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
import { print, type DocumentNode } from 'graphql';

/**
 * A document that carries the types of its result and its variables, as graphql-codegen generates it: syntax nodes
 * (`TypedDocumentNode`) or text (`TypedDocumentString`).
 */
export type TypedDocument<Data, Variables> = DocumentTypeDecoration<Data, Variables> & object;

/** The arguments after a document: its variables may be left out if all of them are optional. */
export type ArgumentsOf<Variables, Options> =
  Record<never, never> extends Variables ? [variables?: Variables, options?: Options] : [variables: Variables, options?: Options];

/** The text of a document. */
export const textOf = (document: object): string =>
  'kind' in document ? print(document as DocumentNode) : (document as { toString(): string }).toString();
