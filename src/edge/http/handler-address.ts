import 'reflect-metadata';
import { handlersOf, type Handler } from './handlers.js';

export function addressesOf(part: unknown): string[] {
  const bases = typeof part === 'function' ? pathsAt(part) : [];
  if (bases.length === 0) return [];
  return handlersOf(part as Handler).flatMap((handler) =>
    pathsAt(handler).flatMap((path) => bases.map((base) => `/${[...segmentsOf(base), ...segmentsOf(path)].join('/')}`)),
  );
}

const pathsAt = (target: object): string[] => [(Reflect.getMetadata('path', target) ?? []) as string | string[]].flat();
const segmentsOf = (path: string): string[] => path.split('/').filter(Boolean);

/** A parameter matches any segment, a star all that follow. */
export function pathsOverlap(one: string, other: string): boolean {
  const [mine, theirs] = [segmentsOf(one), segmentsOf(other)];
  for (let i = 0; i < Math.max(mine.length, theirs.length); i++) {
    const pair = [mine[i], theirs[i]];
    if (pair.some((segment) => segment?.includes('*'))) return true;
    if (pair.includes(undefined)) return false;
    if (mine[i] !== theirs[i] && !pair.some((segment) => segment?.includes(':'))) return false;
  }
  return true;
}
