/** Can PostgreSQL keep it as `text`, and UTF-8 carry it? No NUL, no half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && !/\p{Surrogate}/u.test(text);
