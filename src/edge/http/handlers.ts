import { MetadataScanner } from '@nestjs/core';

export type Handler = (...args: never[]) => unknown;

const scanner = new MetadataScanner();

/** Nest serves inherited methods too at the paths of the class. */
export function handlersOf(owner: Handler): Handler[] {
  const prototype = owner.prototype as Readonly<Record<string, Handler>>;
  return scanner.getAllMethodNames(prototype).flatMap((name) => prototype[name] ?? []);
}
