import { fragment } from './sql.js';
import { cursorIn, cursorText, firstPage, pageQuery, pageStatements } from './page-request.js';

const isId = (id: string): boolean => id.length === 36;
const cursor = { createdAt: new Date(1_700_000_000_123), id: '0189d1f0-0000-7000-8000-000000000001' };

describe('a cursor', () => {
  it('decodes to what was encoded', () => {
    expect(cursorIn(cursorText(cursor), isId)).toEqual(cursor);
  });

  it.each([
    '',
    'x',
    `${cursorText(cursor)}=`,
    cursorText({ ...cursor, id: 'f'.repeat(64) }),
    cursorText({ ...cursor, createdAt: new Date(NaN) }),
  ])('refuses %j', (text) => {
    expect(cursorIn(text, isId)).toBeUndefined();
  });
});

describe('a keyset page', () => {
  const list = pageStatements({ select: fragment`SELECT * FROM toy WHERE owner = $1`, values: 1, id: fragment`id` });

  it('selects one row more than requested, newest first, with its bounds as parameters', () => {
    const [{ text }, values] = pageQuery(list, ['me'], firstPage(10));
    expect(text).toContain('owner = $1 AND (created_at, id) < ($2, $3) AND (created_at, id) > ($4, $5)');
    expect(text).toContain('ORDER BY created_at DESC, id DESC LIMIT $6');
    expect([values[0], values[5]]).toEqual(['me', 11]);
  });

  it('pages backwards to newer rows with before', () => {
    const [{ text }, values] = pageQuery(list, ['me'], { ...firstPage(10), forward: false, before: cursor });
    expect(text).toContain('ORDER BY created_at ASC, id ASC');
    expect(values.slice(3, 5)).toEqual([cursor.createdAt, cursor.id]);
  });
});
