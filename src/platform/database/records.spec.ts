import { recordsOf } from './records.js';

const rows = [
  { id: 'a', msat: 2n ** 60n, memo: 'say "hi", \\ (or {})', at: new Date(0), isOurs: true },
  { id: 'b', msat: -1n, memo: null, at: null, isOurs: false },
  { id: '', msat: 0n, memo: ' ', at: null, isOurs: false },
];

it('recordsOf writes rows as literals of a composite type', () => {
  expect(recordsOf(rows, 'msat', 'memo', 'at', 'isOurs', 'id')).toEqual([
    '("1152921504606846976","say \\"hi\\", \\\\ (or {})","1970-01-01T00:00:00.000Z","true","a")',
    '("-1",,,"false","b")',
    '("0"," ",,"false","")',
  ]);
});
