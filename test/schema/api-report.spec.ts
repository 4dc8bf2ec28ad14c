import { Workshop } from './workshop.js';

const REPORT = 'docs/api-report/sluice.md';
const INDEX = 'src/index.ts';

describe('npm run api:check', () => {
  const workshop = new Workshop(['scripts', 'tsconfig.json', 'tsconfig.pack.json']);
  const run = (...options: string[]) => workshop.run('scripts/api-report.js', ...options);

  beforeAll(() => {
    workshop.write(
      'src/tip.ts',
      'export interface Tip {\n  readonly sats: number;\n}\nexport const give = (tip: Tip): number => tip.sats;\n',
    );
    workshop.write(INDEX, "export { give, type Tip } from './tip.js';\n");
    workshop.write('src/testing/index.ts', 'export const eventually = true;\n');
    workshop.write('src/client/index.ts', 'export const client = true;\n');
    expect(run()).toMatchObject({ status: 0 });
  });
  afterAll(() => workshop.close());

  it('passes while the public modules and their reports agree, whatever their code does', () => {
    expect(workshop.read(REPORT)).toContain('export const give: (tip: Tip) => number;');
    workshop.plant('src/tip.ts', '=> tip.sats;', '=> Math.round(tip.sats);');
    expect(run('--check')).toEqual({ status: 0, output: expect.stringContaining('agree with the code') });
  });

  it('fails for an export that is gone and another type of a property, and writes nothing', () => {
    const report = workshop.read(REPORT);
    workshop.plant(INDEX, 'give, type Tip', 'type Tip');
    workshop.plant('src/tip.ts', 'sats: number', 'sats: bigint | number');
    workshop.plant('src/tip.ts', '=> Math.round(tip.sats);', '=> Number(tip.sats);');
    const { status, output } = run('--check');
    expect(output).toContain(`${REPORT} differs from line `);
    expect(output).toContain('run `npm run api` and commit the result');
    expect([status, workshop.read(REPORT)]).toEqual([1, report]);
  });
});
