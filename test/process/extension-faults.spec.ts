import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../src/testing/eventually.js';
import { demoPerson } from '../support/demo-person.js';
import { request } from '../support/http.js';
import { PROJECT, ServerProcess } from '../support/server-process.js';

/** An entry point with an extension, whose durable consumer runs `fault` for each event. The demo's first payments are events. */
const entryWith = (fault: string): string => `
import '${PROJECT}/node_modules/reflect-metadata/Reflect.js';
import { Injectable, Module } from '${PROJECT}/node_modules/@nestjs/common/index.js';
import { Events, serve } from '${PROJECT}/dist/src/index.js';
class Faulty {
  constructor(events) {
    events.consume('faulty.payments', 'transaction.changed', async () => { ${fault} }, 'oldest');
  }
}
Injectable()(Faulty);
Reflect.defineMetadata('design:paramtypes', [Events], Faulty);
class FaultyModule {}
Module({ providers: [Faulty] })(FaultyModule);
await serve({ extensions: [{ name: 'faulty', module: FaultyModule }] });
`;

interface Line {
  readonly event?: string;
  readonly err?: { readonly message: string; readonly stack: string };
}
const logged = (server: ServerProcess, event: string): Line | undefined =>
  server.lines
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
    .find((line) => line.event === event);

describe('a fault that no code of an extension catches', () => {
  let server: ServerProcess;
  const root = mkdtempSync(join(tmpdir(), 'sluice-faulty-'));
  const prepare = async (fault: string): Promise<void> => {
    mkdirSync(join(root, 'scripts'), { recursive: true });
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(root, 'scripts/start.js'), entryWith(fault));
    server = await ServerProcess.prepare({}, root);
  };
  afterEach(() => server.close());
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('in a promise that nothing awaits: the server serves on, and the log has the error', async () => {
    await prepare(`void Promise.reject(new Error('nothing awaits this'));`);
    await server.start();
    const line = await eventually(() => logged(server, 'process_unhandled_rejection'));
    expect(line.err).toMatchObject({
      message: 'nothing awaits this',
      stack: expect.stringContaining(join(root, 'scripts/start.js')) as string,
    });
    expect((await request(`${server.url}/health/live`)).body).toEqual({ status: 'ok' });
    const alice = demoPerson(server, 'alice');
    expect(await alice.sats()).toBe(1_000_000);
    expect(await server.end()).toMatchObject({ code: 0, stderr: '' });
  });

  it('in a timer: the process ends, because its state is unknown, and the log has the error', async () => {
    await prepare(`setTimeout(() => { throw new Error('nothing catches this'); });`);
    expect(await server.launch()).toMatchObject({
      code: 1,
      signal: null,
      stderr: expect.stringContaining('nothing catches this') as string,
    });
    expect(logged(server, 'process_uncaught_exception')?.err?.message).toBe('nothing catches this');
  });
});
