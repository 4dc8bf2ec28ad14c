import { printResult } from './command.js';

/** What a terminal could take for a command, and what it shows in another order than it is written. */
const NAME = 'a\u009b2J\u001b[2J\u202eb\u007f"\\é';

describe('the result of a command', () => {
  const printed = (options: Record<string, true>): string[] => {
    const lines: string[] = [];
    printResult({ positionals: [], options }, (line) => void lines.push(line), { found: { name: NAME, sats: 2n ** 60n }, lines: [NAME] });
    return lines;
  };

  it('has no control characters in lines for a person', () => {
    expect(printed({})).toEqual(['a2J[2Jb"\\é']);
  });

  it('has none in JSON either, which still parses to what is stored', () => {
    const [text = ''] = printed({ json: true });
    expect(text).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(JSON.parse(text)).toEqual({ name: NAME, sats: String(2n ** 60n) });
  });
});
