import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, parse, validate } from 'graphql';
import { ERROR_CODES } from '../../src/edge/graphql/error-codes.js';
import { PROJECT } from '../support/server-process.js';

const page = (name: string): string => readFileSync(join(PROJECT, 'docs', name), 'utf8');
const text = page('api.md');
/** Codes that Apollo returns and our source does not name. */
const OF_APOLLO = ['PERSISTED_QUERY_NOT_FOUND'];
/** Words in capitals that are not codes of ours: a payment's status, an HTTP status, errors of Node. */
const OTHER = new Set([
  'ERR_HTTP_REQUEST_TIMEOUT', // of Node
  'IN_FLIGHT', // a state of LND
  'WITNESS_PUBKEY_HASH', // a kind of address of LND
  'ALREADY_PAID',
  ...['ONE_DAY', 'ONE_WEEK', 'ONE_MONTH', 'ONE_YEAR', 'FIVE_YEARS'], // ranges of prices
  'METHOD_NOT_ALLOWED',
  'UNSUPPORTED_MEDIA_TYPE',
  'MISDIRECTED_REQUEST',
  'ERR_INVALID_URL',
  'ERR_STREAM_PREMATURE_CLOSE',
  // Of openid-client.
  'OAUTH_PARSE_ERROR',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_TIMEOUT',
  // Of `/auth/login`.
  'PASSWORD_SIGN_IN_OFF',
]);
/** Variables: those in the list of rate limits, and the one that the start reads by itself. */
const isVariable = (code: string): boolean => code.startsWith('THROTTLE_') || ['DATABASE_URL', 'SLUICE_MODE'].includes(code);

function section(heading: string): string {
  return text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
}

/** All source files that contain texts for clients. */
function sources(): string[] {
  const isSpeech = (path: string): boolean =>
    /\.ts$/.test(path) &&
    !/\.(spec|settings)\.ts$|^(generated|platform\/(config|database|embedded-postgres)|cli|operator\/act|testing)\//.test(path);
  const files = readdirSync(join(PROJECT, 'src'), { recursive: true, encoding: 'utf8' }).filter(isSpeech);
  return files.map((path) => readFileSync(join(PROJECT, 'src', path), 'utf8'));
}

const found = (texts: readonly string[], pattern: RegExp): string[] => [
  ...new Set(texts.flatMap((each) => [...each.matchAll(pattern)].map(([, match = '']) => match))),
];

describe('docs/api.md and its reference', () => {
  it('lists every error code of the source, and no other', () => {
    const rows = found([page('reference/error-codes.md')], /^\| (`[^|]*`) \|/gm);
    const documented = found(rows, /`([A-Z_]+)`/g);
    expect(documented.sort()).toEqual(Object.keys(ERROR_CODES).sort());
    const real = found(sources(), /'([A-Z]{2,}(?:_[A-Z]+)+)'/g).filter((code) => !OTHER.has(code) && !isVariable(code));
    expect(real.length).toBeGreaterThan(15);
    expect(documented.sort()).toEqual([...real, 'LIQUIDITY', ...OF_APOLLO].sort());
  });

  it('shows valid documents', () => {
    const schema = buildSchema(readFileSync(join(PROJECT, 'schema.graphql'), 'utf8'));
    const documents = found([text, page('reference/operations.md')], /```graphql\n([^]*?)```/g);
    expect(documents.length).toBeGreaterThan(0);
    for (const document of documents) expect(validate(schema, parse(document))).toEqual([]);
    const [clash = ''] = documents;
    expect(validate(schema, parse(clash.replace('outcome: ', ''))).length).toBeGreaterThan(0);
  });

  it('lists every close code of the source', () => {
    const documented = found([section('Live updates')], /^\| (\d{4}) \|/gm);
    const real = found(sources(), /\b(1001|1013|44\d\d|4500)\b/g);
    expect(real.length).toBeGreaterThan(5);
    expect(real.filter((code) => !documented.includes(code))).toEqual([]);
  });

  it('lists every status of a send', () => {
    const schema = readFileSync(join(PROJECT, 'schema.graphql'), 'utf8');
    const [, values = ''] = /^enum PaymentSendResult \{([^}]*)\}/m.exec(schema) ?? [];
    expect(found([section('Sending')], /^\| `([A-Z_]+)` \|/gm).sort()).toEqual(found([values], /^ {2}([A-Z_]+)/gm).sort());
  });

  it('names existing root fields', () => {
    const schema = readFileSync(join(PROJECT, 'schema.graphql'), 'utf8');
    const fields = found([section('Scopes'), section('Sending'), section('Live updates')], /`([a-z]+[A-Z]\w+)`/g);
    expect(fields.length).toBeGreaterThan(5);
    expect(fields.filter((name) => !new RegExp(`^  ${name}\\b`, 'm').test(schema))).toEqual([]);
  });
});
