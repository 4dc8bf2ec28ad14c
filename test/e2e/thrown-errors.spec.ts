import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, Get, Module, NotFoundException } from '@nestjs/common';
import { Args, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { InvalidInput, Public } from '../../src/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { post } from '../support/http.js';

const SDL = `
extend type Query {
  planted(how: String!): Planted!
}
type Planted {
  nested(how: String!): Int
}
`;

/** Throws as a service does that knows no GraphQL. */
function thrown(how: string): never {
  if (how === 'refusal') throw InvalidInput.of('There is no such thing', 'NOT_FOUND', ['how']);
  if (how === 'http') throw new NotFoundException('There is no such page');
  throw new Error('a secret of the server');
}

@Resolver('Planted')
class PlantedResolver {
  @Query()
  @Public()
  planted(@Args('how') how: string): object {
    if (how === 'nothing') return null as unknown as object;
    return how === 'fine' ? {} : thrown(how);
  }

  @ResolveField()
  nested(_parent: unknown, { how }: { how: string }): unknown {
    return how === 'wrong type' ? 'a secret of the server' : thrown(how);
  }
}

@Controller('planted')
class PlantedController {
  @Get()
  @Public()
  show(): string {
    return thrown('fault');
  }
}

@Module({ providers: [PlantedResolver], controllers: [PlantedController] })
class PlantedModule {}

describe('an error that a resolver throws', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-thrown-'));
  const schema = join(folder, 'planted.graphql');
  let app: TestApp;
  beforeAll(async () => {
    writeFileSync(schema, SDL);
    app = await createTestApp({ extensions: [{ name: 'planted', module: PlantedModule, schema }] });
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });

  const errorOf = async (query: string): Promise<{ message: string; extensions: Record<string, unknown> }> => {
    const { text } = await post(`${app.url}/graphql`, { query });
    return (JSON.parse(text) as { errors: [{ message: string; extensions: Record<string, unknown> }] }).errors[0];
  };
  const PLACES = [
    ['in a root field', (how: string) => `{ planted(how: "${how}") { nested(how: "fine") } }`],
    ['in a nested field', (how: string) => `{ planted(how: "fine") { nested(how: "${how}") } }`],
  ] as const;

  it.each(PLACES)('%s reaches the client as what it is, if it is a refusal', async (_where, document) => {
    const { message, extensions } = await errorOf(document('refusal'));
    expect({ message, extensions }).toEqual({ message: 'There is no such thing', extensions: { code: 'NOT_FOUND', argument: ['how'] } });
  });

  it.each(PLACES)('%s keeps the meaning of an HTTP exception', async (_where, document) => {
    const { message, extensions } = await errorOf(document('http'));
    expect({ message, extensions }).toEqual({ message: 'There is no such page', extensions: { code: 'NOT_FOUND' } });
  });

  it.each(PLACES)('%s is INTERNAL_SERVER_ERROR with a reference, if it is unexpected', async (_where, document) => {
    const { message, extensions } = await errorOf(document('fault'));
    expect(message).not.toContain('secret');
    expect(extensions).toEqual({ code: 'INTERNAL_SERVER_ERROR', reference: expect.stringMatching(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/) });
  });

  it('is one with a reference, and in the log, if a resolver returned a value of another type', async () => {
    const { message, extensions } = await errorOf('{ planted(how: "fine") { nested(how: "wrong type") } }');
    expect(message).not.toContain('secret');
    expect(extensions).toEqual({ code: 'INTERNAL_SERVER_ERROR', reference: expect.any(String) as string });
    expect(app.logs.filter((line) => line.includes(String(extensions['reference'])))).toEqual([
      expect.stringContaining('Int cannot represent'),
    ]);
  });

  const DOCUMENTS: readonly string[] = [
    ...PLACES.flatMap(([, document]) => ['refusal', 'http', 'fault'].map(document)),
    '{ planted(how: "fine") { nested(how: "wrong type") } }',
    '{ planted(how: "nothing") { nested(how: "fine") } }',
  ];

  it.each(DOCUMENTS)('is the same once its query is compiled: %s', async (document) => {
    const compiled = async (): Promise<string | undefined> =>
      /^sluice_graphql_compiled_queries (\d+)$/m.exec(await (await fetch(`${app.url}/metrics`)).text())?.[1];
    const withoutReference = async (): Promise<object> => {
      const { extensions, ...error } = await errorOf(`# compiled\n${document}`);
      return { ...error, extensions: { ...extensions, ...('reference' in extensions && { reference: 'a reference' }) } };
    };
    const before = await compiled();
    const first = await withoutReference();
    await eventually(async () => {
      expect(await withoutReference()).toEqual(first);
      return (await compiled()) !== before;
    });
    expect(await withoutReference()).toEqual(first);
  });

  it('over REST is a 500 with a reference', async () => {
    const response = await fetch(`${app.url}/planted`);
    const { error } = (await response.json()) as { error: Record<string, unknown> };
    expect(response.status).toBe(500);
    expect(error['reference']).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
  });
});
