// `npm run lint:commits`: each commit since the last release, or since this check exists, has a conventional subject in the imperative, of
// 72 characters at most. Merges have the subjects that git gives them. Without git or its history nothing is checked.
import { spawnSync } from 'node:child_process';
import { projectRoot } from './project.js';

const MAX_LENGTH = 72;
const TYPES = 'build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test';
const FORM = new RegExp(`^(?:${TYPES})(?:\\([a-z0-9-]+(?:,[a-z0-9-]+)*\\))?!?: (?<verb>\\S+)`);
/** A first word that is no verb in the imperative: an article, a number, "adds", "added", "adding". */
const NOT_IMPERATIVE =
  /^(?:[A-Z].*|the|an?|its?|this|that|these|those|each|every|all|no|not|one|two|three|four|there|when|what|which|who|of|in|on|for|with|to|by|at|from|after|before|(?!pass|process|address|focus|bias|dismiss|express|compress|suppress|discuss|miss|guess|access)\w+s|(?!need|embed|feed|seed|shed|speed|exceed|proceed)\w+ed|(?!bring|string|ping|ring|spring)\w+ing)$/;

/** What is wrong with the subject of a commit; undefined if nothing is. */
function faultOf(subject) {
  if (subject.length > MAX_LENGTH) return `has ${subject.length} characters, ${MAX_LENGTH} at most`;
  const verb = FORM.exec(subject)?.groups.verb;
  if (verb === undefined) return `is not conventional: <type>(<scope>): <what>, with a type of ${TYPES.replaceAll('|', ', ')}`;
  return NOT_IMPERATIVE.test(verb) ? `begins with "${verb}", which is not an imperative in lower case` : undefined;
}

/** What git prints, or undefined where it fails: without git, outside of a repository, without a tag. */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** Where the check begins: after the commit that added it, and after the last release. In a shallow clone the former is its first commit. */
const added = git('log', '--diff-filter=A', '--format=%H', '--', 'scripts/commit-subjects.js')?.split('\n').at(-1);
const release = git('describe', '--tags', '--match', 'v*', '--abbrev=0');
const hasHistory = Boolean(added) && git('rev-parse', '--show-prefix') === '';
const log = hasHistory ? git('log', '--no-merges', '--format=%h %s', 'HEAD', '--not', added, ...(release ? [release] : [])) : '';
const lines = (log ?? '').split('\n').filter(Boolean);
const faults = lines.flatMap((line) => {
  const [, commit, subject] = /^(\S+) (.*)$/.exec(line) ?? [];
  const fault = faultOf(subject ?? '');
  return fault === undefined ? [] : [`${commit} "${subject}" ${fault}`];
});
for (const fault of faults) console.log(fault);
if (faults.length === 0)
  console.log(hasHistory ? `commits: ${lines.length} subjects are in order` : 'commits: there is no history to check');
process.exitCode = faults.length === 0 ? 0 : 1;
