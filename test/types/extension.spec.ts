import { rowsFrom } from '../../src/edge/graphql/codegen-base.js';
import { Compiler, generated, read } from './drift/compiler.js';

const CORE = read('schema.graphql');
const TIPPING = read('test/extensions/tipping/tipping.graphql');
const TYPES = 'test/extensions/tipping/generated.ts';

const DRIFTS: readonly (readonly [what: string, from: string, to: string, named: RegExp])[] = [
  ['a query added', 'extend type Query {', 'extend type Query {\n  tipJar: String', /complete\.ts.*"tipJar"/],
  ['an argument added', 'tipsReceived: TipSummary!', 'tipsReceived(since: Timestamp): TipSummary!', /complete\.ts.*"tipsReceived"/],
  ['a field of a core type renamed', 'isTip: Boolean!', 'wasTip: Boolean!', /tipping\.resolver\.ts[^]*isTip/],
  ['a field of its own type added', 'type TipSummary {', 'type TipSummary {\n  biggest: SatAmount!', /complete\.ts[^]*"biggest"/],
];

describe('the example extension', () => {
  const compiler = new Compiler('test/extensions/tipping/complete.ts');
  let drifted: string[];

  beforeAll(() => {
    const drift = DRIFTS.reduce((sdl, [, from, to]) => sdl.replace(from, to), TIPPING);
    const types = generated(
      { drifted: `${CORE}\n${drift}` },
      rowsFrom(() => '../../../src/index.js'),
    );
    drifted = compiler.compile(TYPES, types['drifted'] ?? '');
  });

  it.each(DRIFTS)('does not compile after a drift of its SDL: %s', (_what, from, _to, named) => {
    expect(TIPPING).toContain(from);
    expect(drifted.filter((message) => named.test(message))).not.toEqual([]);
  });
});
