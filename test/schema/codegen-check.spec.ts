import { Workshop } from './workshop.js';

const TYPES = 'src/generated/graphql.ts';
const CLIENT = 'src/client/generated.ts';
const TIPPING = 'test/extensions/tipping/generated.ts';

describe('npm run codegen:check', () => {
  const workshop = new Workshop([
    'scripts/codegen.js',
    'codegen.ts',
    'src/edge/graphql/codegen-base.ts',
    'schema.graphql',
    'src/generated',
    'src/client',
  ]);
  const check = () => workshop.run('scripts/codegen.js', '--check');
  beforeEach(() => workshop.restore());
  afterAll(() => workshop.close());

  it('fails for a changed configuration', () => {
    workshop.plant('src/edge/graphql/codegen-base.ts', 'immutableTypes: true', 'immutableTypes: false');
    expect(check()).toEqual({ status: 1, output: expect.stringMatching(/ differs[^]*npm run codegen/) });
  });

  it('names every file that is missing, that differs by a byte or that codegen.ts does not generate, and writes nothing', () => {
    workshop.remove(TYPES);
    workshop.write(CLIENT, workshop.read(CLIENT).replaceAll('\n', '\r\n'));
    workshop.write('src/generated/more.ts', '');
    const { status, output } = check();
    expect(status).toBe(1);
    for (const fault of [`${TYPES} is missing`, `${CLIENT} differs`, 'src/generated/more.ts is not made by codegen.ts'])
      expect(output).toContain(fault);
    expect(workshop.has(TYPES)).toBe(false);
  });

  it('passes again after npm run codegen; the types of the example extension are generated too, from the public surface alone', () => {
    workshop.write('test/extensions/tipping/tipping.graphql', 'extend type Transaction {\n  tips: Int!\n}\n');
    workshop.plant('schema.graphql', '  network: Network!\n', '  network: Network\n');
    const { status, output } = check();
    expect(status).toBe(1);
    for (const fault of [`${TYPES} differs from line`, `${TIPPING} is missing`]) expect(output).toContain(fault);
    expect(workshop.run('scripts/codegen.js').status).toBe(0);
    expect(check()).toEqual({ status: 0, output: expect.stringContaining('agrees with the SDL') });
    const types = workshop.read(TIPPING);
    expect(types).toContain('tips: Resolver<');
    expect([...types.matchAll(/from '(.*)'/g)].map(([, from]) => from)).toEqual(['graphql', '../../../src/index.js']);
  });

  it('reports an unreadable schema in one sentence', () => {
    workshop.plant('schema.graphql', 'type Query {', 'type Query {{');
    expect(check()).toEqual({ status: 1, output: expect.stringContaining('Syntax Error') });
  });
});
