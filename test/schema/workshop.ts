import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** A copy of some of our files, outside the checkout and git, in which to plant faults. */
export class Workshop {
  readonly folder = mkdtempSync(join(tmpdir(), 'sluice-workshop-'));

  constructor(private readonly paths: readonly string[]) {
    this.restore();
  }

  /** Restores every file from the checkout. */
  restore(): void {
    this.close();
    mkdirSync(this.folder);
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
    for (const path of [...this.paths, 'package.json', '.prettierrc.json']) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true });
      cpSync(join(ROOT, path), join(this.folder, path), { recursive: true });
    }
  }

  has(path: string): boolean {
    return existsSync(join(this.folder, path));
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  /** @throws Error where the file lacks the text, because then nothing would be planted */
  plant(path: string, from: string, to: string): void {
    const text = this.read(path);
    if (!text.includes(from)) throw new Error(`${path} has no ${JSON.stringify(from)}`);
    this.write(
      path,
      text.replace(from, () => to),
    );
  }

  remove(path: string): void {
    rmSync(join(this.folder, path));
  }

  run(script: string, ...options: string[]): { status: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(this.folder, script), ...options], {
      cwd: tmpdir(),
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
