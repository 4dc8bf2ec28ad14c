/** Can PostgreSQL keep it as `text`, and UTF-8 carry it? No NUL, no half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && !/\p{Surrogate}/u.test(text);

/** The longest memo: what the description of an invoice can hold (BOLT 11, "Tagged Fields": 1023 words of five bits). */
export const MEMO_BYTES = 639;
