import { deterministicUuid, isUuid, newId } from './uuid.js';

describe('uuid', () => {
  it('v7 ids sort by their time', () => {
    const ids = Array.from({ length: 1_000 }, newId);
    expect(ids.every((id) => isUuid(id) && id[14] === '7' && /[89ab]/.test(id[19] ?? ''))).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    const millis = ids.map((id) => id.slice(0, 13));
    expect([...millis].sort()).toEqual(millis);
  });

  it('ids of a text are always equal, and differ between texts', () => {
    expect(deterministicUuid('one')).toBe(deterministicUuid('one'));
    expect(deterministicUuid('one')).not.toBe(deterministicUuid('two'));
    expect(isUuid(deterministicUuid(''))).toBe(true);
  });

  it.each([
    '',
    'x',
    '0189d1f0-0000-7000-8000-00000000000',
    '0189d1f0-0000-7000-8000-00000000000g',
    '{0189d1f0-0000-7000-8000-000000000000}',
  ])('refuses %p', (text) => {
    expect(isUuid(text)).toBe(false);
  });
});
