import { readFileSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector/promises';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { filesBelow, ROOT } from './files.js';

/** What surrounds a page. A file that calls one of these draws pages, as a view does. */
const FRAME = /\b(?:card|shell|dashboard|tool|question|gone|order)Page\(/;
const LAYOUTS = /\/layout\.ts$/;
const drawing = filesBelow('src')
  .filter((path) => /\.ts$/.test(path) && !/\.spec\.ts$/.test(path) && !LAYOUTS.test(path))
  .filter((path) => /\.view\.ts$/.test(path) || FRAME.test(readFileSync(join(ROOT, path), 'utf8')));

let session: Session;

/** A block is a state of a page if it draws something of its own; another word in the same place is none. */
const isState = (block: string, isFunction: boolean): boolean =>
  /html\)?`/.test(block) || (!isFunction && /^\W*return\b|^&& [({]/.test(block));

async function idleBlocksIn({ url, scriptId, functions }: Profiler.ScriptCoverage): Promise<string[]> {
  const { scriptSource: text } = await session.post('Debugger.getScriptSource', { scriptId });
  const blocks = functions.flatMap(({ ranges }) =>
    ranges.map(({ startOffset, endOffset, count }, index) => ({
      block: text.slice(startOffset, endOffset),
      count,
      isFunction: index === 0,
    })),
  );
  const name = url.slice(url.lastIndexOf('/') + 1);
  return blocks.filter(({ block, count, isFunction }) => count === 0 && isState(block, isFunction)).map(({ block }) => `${name}: ${block}`);
}

/** The states of these files that were not drawn since the start; a file that was not loaded, as a whole. */
async function missingIn(paths: readonly string[]): Promise<string[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const found = paths.map(async (path) => {
    const script = result.find(({ url }) => url.endsWith(`/${path}`));
    return script ? await idleBlocksIn(script) : [`${path}: no sample draws it`];
  });
  return (await Promise.all(found)).flat();
}

/** Node counts the blocks of what is loaded from here on. */
beforeAll(async () => {
  session = new Session();
  session.connect();
  await session.post('Debugger.enable');
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const { SAMPLES } = await import('../page/samples.js');
  for (const { html } of SAMPLES) html.toString();
});
afterAll(() => session.disconnect());

it('test/page/samples shows every page in every state', async () => {
  expect(drawing.length).toBeGreaterThan(35);
  expect(await missingIn(drawing)).toEqual([]);
});

it('planted: a state that no sample shows, and a page without a sample', async () => {
  const planted = join(ROOT, 'src/planted.view.ts');
  const draw = runInThisContext('(html, isPaid) => isPaid ? html`<p>Paid</p>` : html`<p>Waiting</p>`', { filename: planted }) as (
    html: typeof String.raw,
    isPaid: boolean,
  ) => string;
  expect(draw(String.raw, true)).toBe('<p>Paid</p>');
  expect(await missingIn(['src/planted.view.ts', 'src/other.view.ts'])).toEqual([
    'planted.view.ts: : html`<p>Waiting</p>`',
    'src/other.view.ts: no sample draws it',
  ]);
});
