import { cursorIn, firstPage, type Slice } from '../database/index.js';
import { isUuid } from '../kernel/uuid.js';

/** The page after or before the cursor in the address; an invalid cursor gives the first page. */
export function historySlice(query: Readonly<Record<string, unknown>>, limit: number): Slice {
  const { after, before } = query;
  const first = firstPage(limit);
  if (typeof before !== 'string') return { ...first, after: cursor(after) };
  const newer = cursor(before);
  return newer ? { ...first, forward: false, before: newer } : first;
}

const cursor = (text: unknown): Slice['after'] => (typeof text === 'string' ? cursorIn(text, isUuid) : undefined);
