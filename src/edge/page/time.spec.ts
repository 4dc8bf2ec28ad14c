import type { Html } from './html.js';
import { day, exact, inWords, moment, sinceWords, soon, until } from './time.js';

const NOW = new Date('2026-11-21T08:46:00Z');
const frame = { now: NOW };
const text = (markup: Html): string => markup.toString().replace(/<[^>]+>/g, '');

describe('moment', () => {
  it.each([
    ['2026-11-21T08:45:30Z', 'Just now'],
    ['2026-11-21T08:46:03Z', 'Just now'],
    ['2026-11-21T08:45:00Z', '1 minute ago'],
    ['2026-11-21T07:46:01Z', '59 minutes ago'],
    ['2026-11-21T07:46:00Z', 'Today, 07:46 UTC'],
    ['2026-11-21T00:00:00Z', 'Today, 00:00 UTC'],
    ['2026-11-20T23:59:59Z', 'Yesterday, 23:59 UTC'],
    ['2026-11-19T18:30:00Z', '19 Nov, 18:30 UTC'],
    ['2026-09-14T10:00:00Z', '14 Sep, 10:00 UTC'],
    ['2025-12-31T23:59:59Z', '31 Dec 2025'],
    ['2026-01-01T00:00:00Z', '1 Jan, 00:00 UTC'],
  ])('prints %s as "%s"', (at, words) => {
    expect(text(moment(new Date(at), frame))).toBe(words);
  });

  it('is localised by the script where it contains an hour', () => {
    const markup = moment(new Date('2026-11-20T23:30:00Z'), frame).toString();
    expect(markup).toBe(
      '<time datetime="2026-11-20T23:30:00Z" title="2026-11-20 23:30:00 UTC" data-local="moment">Yesterday, 23:30 UTC</time>',
    );
    expect(moment(new Date('2026-11-21T08:40:00Z'), frame).toString()).not.toContain('data-local');
    expect(moment(new Date('2025-11-21T08:40:00Z'), frame).toString()).not.toContain('data-local');
  });
});

it('prints days and exact times', () => {
  const at = new Date('2026-11-20T15:20:11Z');
  expect(text(day(at))).toBe('20 Nov 2026');
  expect(text(exact(at))).toBe('20 Nov 2026, 15:20:11 UTC');
});

it.each([
  ['2027-11-21T08:46:00Z', '21 Nov 2027'],
  ['2026-11-28T00:00:00Z', '28 Nov 2026, in 7 days'],
  ['2026-11-29T00:00:00Z', '29 Nov 2026'],
  ['2026-11-22T00:00:00Z', '22 Nov 2026, in 1 day'],
  ['2026-11-21T20:00:00Z', '21 Nov 2026, today'],
  ['2026-11-20T20:00:00Z', '20 Nov 2026'],
])('prints an end of access at %s as "%s"', (at, words) => {
  expect(text(until(new Date(at), frame))).toBe(words);
});

it.each([
  [0, 'in 1 second'],
  [29.1, 'in 30 seconds'],
  [90, 'in 2 minutes'],
  [215, 'in 4 minutes'],
  [3_600, 'in 60 minutes'],
  [5_401, 'in 2 hours'],
])('prints a wait of %d s as "%s"', (seconds, words) => {
  expect(inWords(seconds)).toBe(words);
});

it.each([
  ['2026-11-21T08:45:30Z', 'less than a minute'],
  ['2026-11-21T08:42:00Z', '4 minutes'],
  ['2026-11-21T05:46:00Z', '3 hours'],
  ['2026-11-18T08:46:00Z', '3 days'],
])('prints the time since %s as "%s"', (from, words) => {
  expect(sinceWords(new Date(from), NOW)).toBe(words);
});

describe('soon', () => {
  it.each([
    ['2026-11-21T16:20:00Z', '16:20 UTC today'],
    ['2026-11-21T16:19:01Z', '16:20 UTC today'],
    ['2026-11-21T23:59:30Z', '00:00 UTC tomorrow'],
    ['2026-11-22T08:46:00Z', '08:46 UTC tomorrow'],
  ])('prints %s as "%s"', (at, words) => {
    expect(soon(new Date(at), frame).toString()).toMatch(
      new RegExp(`^<time datetime="[^"]+:00Z" title="[^"]+" data-local="soon">${words}</time>$`),
    );
  });
});
