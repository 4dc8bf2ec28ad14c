import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../../..');
/** The sample is compiled as if it lay here, so that it finds our node_modules; nothing is ever written. */
const PLACE = join(__dirname, 'compiled');
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2023.d.ts'],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  skipLibCheck: true,
  noEmit: true,
};

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The types that our configuration of codegen makes of each schema. */
export const generated = (schemas: Readonly<Record<string, string>>): Record<string, string> =>
  JSON.parse(
    execFileSync(process.execPath, [join(__dirname, 'generate.mjs')], {
      input: JSON.stringify(schemas),
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    }),
  ) as Record<string, string>;

/** Compiles the sample against generated types, one after another; what they have in common is read once. */
export class SampleCompiler {
  private readonly files = new Map<string, string>([
    [join(PLACE, 'sample.ts'), read('test/types/drift/sample.ts.txt')],
    [join(PLACE, 'graphql/typed.ts'), read('src/graphql/typed.ts')],
  ]);
  private readonly unchanging = new Map<string, ts.SourceFile | undefined>();
  private readonly host = this.virtualHost();
  private last: ts.Program | undefined;

  /** @returns the compiler's messages, of the sample and of the generated file; none when it compiles */
  compile(types: string): string[] {
    this.files.set(join(PLACE, 'generated/graphql.ts'), types);
    this.last = ts.createProgram({
      rootNames: [join(PLACE, 'sample.ts')],
      options: OPTIONS,
      host: this.host,
      ...(this.last && { oldProgram: this.last }),
    });
    return ts.getPreEmitDiagnostics(this.last).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  }

  private virtualHost(): ts.CompilerHost {
    const host = ts.createCompilerHost(OPTIONS);
    const { directoryExists, fileExists, readFile, getSourceFile } = host;
    host.getCurrentDirectory = () => ROOT;
    host.directoryExists = (path) => path.startsWith(PLACE) || directoryExists?.(path) === true;
    host.fileExists = (path) => this.files.has(path) || fileExists(path);
    host.readFile = (path) => this.files.get(path) ?? readFile(path);
    host.getSourceFile = (path, options, ...rest) => {
      const text = this.files.get(path);
      if (text !== undefined) return ts.createSourceFile(path, text, options);
      if (!this.unchanging.has(path)) this.unchanging.set(path, getSourceFile(path, options, ...rest));
      return this.unchanging.get(path);
    };
    return host;
  }
}
