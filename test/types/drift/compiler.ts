import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../../..');

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Settings of codegen that replace ours. */
export interface Instead {
  readonly mappers: Readonly<Record<string, string>>;
  readonly contextType: string;
}

/** The types that our configuration of codegen generates from each schema. */
export function generated(schemas: Readonly<Record<string, string>>, instead?: Instead): Record<string, string> {
  const options = { input: JSON.stringify({ schemas, instead }), encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  return JSON.parse(execFileSync(process.execPath, [join(__dirname, 'generate.mjs')], options)) as Record<string, string>;
}

/** Files that the programs of a test file share: each is read once. */
const unchanging = new Map<string, ts.SourceFile | undefined>();

/**
 * Compiles one program repeatedly, under our tsconfig.json, with a file or two replaced. Files need not exist on disk, and nothing is
 * written.
 */
export class Compiler {
  private readonly files = new Map<string, string>();
  private readonly options = tsconfig();
  private readonly host = this.virtualHost();
  private last: ts.Program | undefined;

  /** @param roots the files to compile, with all that they import, relative to the checkout */
  constructor(
    private readonly roots: readonly string[],
    files: Readonly<Record<string, string>> = {},
  ) {
    for (const [path, text] of Object.entries(files)) this.files.set(join(ROOT, path), text);
  }

  /** @returns the compiler's messages about our own files that use the SDL's types, `file(line): message`; none when they compile */
  compile(replaced: Readonly<Record<string, string>>): string[] {
    for (const [path, text] of Object.entries(replaced)) this.files.set(join(ROOT, path), text);
    const before = this.last && { oldProgram: this.last };
    const rootNames = this.roots.map((path) => join(ROOT, path));
    this.last = ts.createProgram({ rootNames, options: this.options, host: this.host, ...before });
    const ours = this.last.getSourceFiles().filter(({ fileName }) => !fileName.includes('/node_modules/'));
    const concerned = ours.filter(({ text: source }) => /graphql\/(index|typed)\.js|generated(\/graphql)?\.js/.test(source));
    return concerned.flatMap((file) => [...(this.last?.getSemanticDiagnostics(file) ?? [])]).map(sentence);
  }

  private virtualHost(): ts.CompilerHost {
    const host = ts.createCompilerHost(this.options);
    const disk = { ...host };
    const holds = (folder: string): boolean => [...this.files.keys()].some((path) => path.startsWith(`${folder}/`));
    host.getCurrentDirectory = () => ROOT;
    host.directoryExists = (path) => holds(path) || disk.directoryExists?.(path) === true;
    host.fileExists = (path) => this.files.has(path) || disk.fileExists(path);
    host.readFile = (path) => this.files.get(path) ?? disk.readFile(path);
    host.getSourceFile = (path, options, ...rest) => {
      const text = this.files.get(path);
      if (text !== undefined) return ts.createSourceFile(path, text, options);
      if (!unchanging.has(path)) unchanging.set(path, disk.getSourceFile(path, options, ...rest));
      return unchanging.get(path);
    };
    return host;
  }
}

function tsconfig(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => readFileSync(path, 'utf8')) as { config: object };
  return {
    ...ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, ROOT).options,
    noEmit: true,
    declaration: false,
  };
}

function sentence({ file, start, messageText }: ts.Diagnostic): string {
  const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
  return `${file?.fileName.slice(ROOT.length + 1) ?? ''}(${line}): ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
}
