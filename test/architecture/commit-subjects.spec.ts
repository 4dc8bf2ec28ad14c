import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './files.js';

const IDENTITY = ['-c', 'user.name=Test', '-c', 'user.email=test@example.test', '-c', 'commit.gpgsign=false', '-c', 'tag.gpgsign=false'];
const folders: string[] = [];
const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'sluice-commits-'));
  folders.push(path);
  return path;
};
afterAll(() => folders.forEach((path) => rmSync(path, { recursive: true, force: true })));

const git = (at: string, ...args: string[]): void => {
  const { status, stderr } = spawnSync('git', [...IDENTITY, ...args], { cwd: at, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
};
const check = (at: string): [status: number | null, output: string] => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(at, 'scripts/commit-subjects.js')], { encoding: 'utf8' });
  return [status, stdout + stderr];
};

/** A repository whose commits have these subjects; `check` is added by the one that says so. */
function repository(...subjects: string[]): string {
  const at = folder();
  git(at, 'init', '-q', '-b', 'main');
  for (const subject of subjects) {
    if (subject.includes('commit-subjects')) cpSync(join(ROOT, 'scripts'), join(at, 'scripts'), { recursive: true });
    git(at, 'add', '-A');
    git(at, 'commit', '-q', '--allow-empty', '-m', subject);
  }
  return at;
}

const OLD = 'The subjects of earlier commits are as they are, and so may be longer than seventy-two characters';
const GATE = 'build: add commit-subjects';

describe('npm run lint:commits', () => {
  it('passes for conventional subjects in the imperative, from the commit on that adds it', () => {
    const at = repository(OLD, GATE, 'feat(wallet): add a list', 'fix(money,edge)!: pass the address', 'docs: embed the process');
    expect(check(at)).toEqual([0, 'commits: 3 subjects are in order\n']);
  });

  it('refuses each subject that is not', () => {
    const refused = [
      ['refactor: move the folders into rooms, and everything else that lies beside them', 'has 80 characters, 72 at most'],
      ['Add a list', 'is not conventional'],
      ['wip: add a list', 'is not conventional'],
      ['fix(wallet):add a list', 'is not conventional'],
      ['fix(wallet): the list has an end', 'begins with "the", which is not an imperative'],
      ['fix(wallet): adds an end', 'begins with "adds", which is not an imperative'],
      ['fix(wallet): Add an end', 'begins with "Add", which is not an imperative'],
      ['fix: removed the list', 'begins with "removed", which is not an imperative'],
    ] as const;
    const [status, output] = check(repository(GATE, 'feat: add a list', ...refused.map(([subject]) => subject)));
    expect(status).toBe(1);
    for (const [subject, fault] of refused) expect(output).toContain(`"${subject}" ${fault}`);
  });

  it('passes for merges, and checks what they bring', () => {
    const at = repository(GATE, 'feat: add a list');
    git(at, 'checkout', '-q', '-b', 'other');
    git(at, 'commit', '-q', '--allow-empty', '-m', 'fix: end the list');
    git(at, 'checkout', '-q', 'main');
    git(
      at,
      'merge',
      '-q',
      '--no-ff',
      '-m',
      "Merge branch 'other', which has a subject that git wrote and that may be as long as it likes",
      'other',
    );
    expect(check(at)).toEqual([0, 'commits: 2 subjects are in order\n']);
  });

  it('begins after the last release', () => {
    const at = repository(GATE, OLD);
    git(at, 'tag', 'v1.0.0');
    git(at, 'commit', '-q', '--allow-empty', '-m', 'fix: end the list');
    expect(check(at)).toEqual([0, 'commits: 1 subjects are in order\n']);
  });

  it('works in a shallow clone, without history, and in a folder of another repository', () => {
    const at = repository(OLD, GATE, 'fix: end the list');
    const shallow = folder();
    git(shallow, 'clone', '-q', '--depth', '1', `file://${at}`, 'clone');
    expect(check(join(shallow, 'clone'))).toEqual([0, 'commits: 0 subjects are in order\n']);
    const inside = join(at, 'inside');
    for (const place of [folder(), inside]) {
      cpSync(join(ROOT, 'scripts'), join(place, 'scripts'), { recursive: true });
      expect(check(place)).toEqual([0, 'commits: there is no history to check\n']);
    }
  });
});
