import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, Get, Module, Post, type DynamicModule, type Type } from '@nestjs/common';
import { Args, GraphQLSchemaHost, Mutation, Query, Resolver, Subscription } from '@nestjs/graphql';
import {
  CurrentPrincipal,
  CurrentVisitor,
  PageController,
  PageSession,
  Public,
  Scopes,
  type Principal,
  type Visitor,
} from '../../src/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture } from '../support/fixture.js';

/** An application with one more module, as an extension would bring it. */
const withModule = (parts: { providers?: Type[]; controllers?: Type[] }, schema?: string): Promise<TestApp> => {
  @Module({})
  class Planted {}
  const module: DynamicModule = { module: Planted, ...parts };
  return createTestApp({ extensions: [{ name: 'planted', module, ...(schema !== undefined && { schema }) }] });
};

const refusal = async (starting: Promise<TestApp>): Promise<string> => {
  const app = await starting.catch((error: Error) => error.message);
  if (typeof app === 'string') return app;
  await app.close();
  return 'it started';
};

const folder = mkdtempSync(join(tmpdir(), 'sluice-planted-'));
const sdl = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
afterAll(() => rmSync(folder, { recursive: true }));

describe('every root field of the merged schema', () => {
  it('of the core has a resolver', async () => {
    const app = await createTestApp();
    const { schema } = app.get(GraphQLSchemaHost);
    await app.close();
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    expect(roots.map((root) => Object.keys(root?.getFields() ?? {}).length > 0)).toEqual([true, true, true]);
    const bare = roots.flatMap((root) =>
      Object.values(root?.getFields() ?? {}).filter(
        ({ resolve, subscribe }) => !(root === schema.getSubscriptionType() ? subscribe : resolve),
      ),
    );
    expect(bare).toEqual([]);
  });

  it.each(['Query', 'Mutation', 'Subscription'])('of an extension stops the start when it has no resolver: %s', async (root) => {
    const field = sdl(`${root}.graphql`, `extend type ${root} {\n  plantedMotto: String\n}\n`);
    expect(await refusal(withModule({}, field))).toBe(
      `Extension planted adds the root field ${root}.plantedMotto, and no class resolves it: a provider with @Resolver() and @${root}() plantedMotto() is missing`,
    );
  });

  it('stops the start when a method resolves a field that the schema does not have', async () => {
    @Resolver()
    class Stray {
      @Query()
      @Public()
      plantedNowhere(): number {
        return 1;
      }
    }
    expect(await refusal(withModule({ providers: [Stray] }))).toMatch(/plantedNowhere/);
  });
});

describe('every handler has one access rule, and the start fails for', () => {
  const query = sdl('query.graphql', 'extend type Query {\n  plantedQuery: Int\n}\n');
  const mutation = sdl(
    'mutation.graphql',
    'extend type Mutation {\n  plantedMutation(input: PlantedInput!): Int\n}\n\ninput PlantedInput {\n  a: Int\n}\n',
  );
  const subscription = sdl('subscription.graphql', 'extend type Subscription {\n  plantedSubscription: Int\n}\n');

  it('a query without one', async () => {
    @Resolver()
    class Open {
      @Query()
      plantedQuery(): number {
        return 1;
      }
    }
    expect(await refusal(withModule({ providers: [Open] }, query))).toContain('Open.plantedQuery: none of');
  });

  it('a mutation without one', async () => {
    @Resolver('Mutation')
    class Open {
      @Mutation()
      plantedMutation(@Args('input') _input: object): number {
        return 1;
      }
    }
    expect(await refusal(withModule({ providers: [Open] }, mutation))).toContain('Open.plantedMutation: none of');
  });

  it('a subscription without one', async () => {
    @Resolver()
    class Open {
      @Subscription()
      async *plantedSubscription(): AsyncGenerator<{ plantedSubscription: number }> {
        yield { plantedSubscription: 1 };
      }
    }
    expect(await refusal(withModule({ providers: [Open] }, subscription))).toContain('Open.plantedSubscription: none of');
  });

  it('a REST handler without one', async () => {
    @Controller('planted')
    class Open {
      @Get()
      show(): string {
        return 'hello';
      }
    }
    expect(await refusal(withModule({ controllers: [Open] }))).toContain('Open.show: none of');
  });

  it('a page without one', async () => {
    @PageController('planted')
    class Open {
      @Get()
      show(): string {
        return 'hello';
      }
    }
    expect(await refusal(withModule({ controllers: [Open] }))).toContain('Open.show: none of');
  });

  it('a page session outside a class of pages', async () => {
    @Controller('planted')
    class Loose {
      @Post()
      @PageSession()
      act(): string {
        return 'done';
      }
    }
    expect(await refusal(withModule({ controllers: [Loose] }))).toContain(
      'Loose.act: @PageSession() and @Operator() are for the handlers of a class with @PageController()',
    );
  });

  it('a public class', async () => {
    @Controller('planted')
    // @ts-expect-error It does not compile either.
    @Public()
    class Wide {
      @Get()
      @Scopes('read')
      show(): string {
        return 'hello';
      }
    }
    expect(await refusal(withModule({ controllers: [Wide] }))).toContain('Wide: @Public() is for methods only');
  });

  it('a class with a scope that does not exist', async () => {
    @Controller('planted')
    @Scopes('planted:nowhere')
    class Unknown {
      @Get()
      show(): string {
        return 'hello';
      }
    }
    expect(await refusal(withModule({ controllers: [Unknown] }))).toContain('Unknown.show: there is no scope "planted:nowhere"');
  });

  it('a handler whose arguments no rule validates', async () => {
    @Resolver()
    class Raw {
      @Mutation()
      @Scopes('write')
      plantedMutation(_parent: unknown, _args: object): number {
        return 1;
      }
    }
    expect(await refusal(withModule({ providers: [Raw] }, mutation))).toContain('Raw.plantedMutation: arguments without @Args()');
  });

  it('a handler with two rules', () => {
    const planted = (): unknown => {
      @Controller('planted')
      class Torn {
        @Get()
        @Public()
        @Scopes('read')
        show(): string {
          return 'hello';
        }
      }
      return Torn;
    };
    expect(planted).toThrow('show has two access rules');
  });

  it('none of them when each has one', async () => {
    @Controller('planted')
    class Ruled {
      @Get()
      @Public()
      show(): string {
        return 'hello';
      }
    }
    const app = await withModule({ controllers: [Ruled] });
    const answer = await fetch(`${app.url}/planted`);
    await app.close();
    expect(await answer.text()).toBe('hello');
  });
});

describe('what a class declares for its handlers', () => {
  @Controller('planted')
  @Scopes('read')
  class Ruled {
    @Get('closed')
    closed(@CurrentPrincipal() { kind }: Principal): string {
      return kind;
    }

    @Get('open')
    @Public()
    open(@CurrentPrincipal() { kind }: Principal): string {
      return kind;
    }
  }

  @PageController('planted-page')
  class Paged {
    @Post()
    @Public()
    act(): string {
      return 'done';
    }

    @Get()
    @PageSession()
    show(@CurrentVisitor() { user }: Visitor): string {
      return user.username;
    }
  }

  let app: TestApp;
  beforeAll(async () => {
    app = await withModule({ controllers: [Ruled, Paged] });
  });
  afterAll(() => app.close());

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${app.url}/${path}`, { headers, redirect: 'manual' });

  it('is the access rule of each, and the rule of a method wins', async () => {
    const { keys } = await new Fixture(app).user();
    expect((await get('planted/closed')).status).toBe(401);
    expect(await (await get('planted/closed', { 'x-api-key': keys.read })).text()).toBe('api-key');
    expect(await (await get('planted/open')).text()).toBe('anonymous');
  });

  it('sends a browser without a page session to the sign-in', async () => {
    const answer = await get('planted-page');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login?to=%2Fplanted-page']);
  });

  it('guards every form of a class of pages against CSRF, also where the rule is public', async () => {
    const body = new URLSearchParams({ csrf: '' });
    const answer = await fetch(`${app.url}/planted-page`, {
      method: 'POST',
      body,
      headers: { 'sec-fetch-site': 'same-origin' },
      redirect: 'manual',
    });
    expect(await answer.text()).not.toContain('done');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login?session-ended=1&to=%2Fplanted-page']);
  });
});
