import { isTooDeep } from '../../platform/kernel/json-text.js';
import { bech32 } from '@scure/base';
import { pastedText } from '../../platform/kernel/pasted-text.js';
import { orNone } from '../../platform/kernel/or-none.js';
import type { Config } from '../../platform/config/index.js';

/** LUD-01 leaves the length of a bech32 text open. A longer one has a longer URL than a request may have. */
const MAX_CHARACTERS = 4_096;
const PREFIX = 'lnurl';
/** LUD-16: the name is lower-case ASCII. At least one character of it is no dot, so that it stays one segment of the path. */
const ADDRESS = /^(?=[^@]*[a-z0-9_])([a-z0-9_.+-]{1,64})@([^\s/?#@\\]{1,255})$/;

export const lnurlOf = (url: string): string => bech32.encode(PREFIX, bech32.toWords(Buffer.from(url, 'utf8')), MAX_CHARACTERS);

/** The URL that a Lightning address stands for (LUD-16); undefined if the text is no address, or one of Tor. */
export function urlOfAddress(text: string): URL | undefined {
  const [, name, host] = ADDRESS.exec(pastedText(text).toLowerCase()) ?? [];
  return name === undefined || host === undefined ? undefined : urlOf(`https://${host}/.well-known/lnurlp/${name}`);
}

/** Whom the payer pays at this URL: the Lightning address that it stands for (LUD-16), or its host. */
export function payeeOf({ host, pathname }: URL): string {
  const name = /^\/\.well-known\/lnurlp\/([a-z0-9_.+-]+)$/.exec(pathname)?.[1];
  return name === undefined ? host : `${name}@${host}`;
}

/**
 * The URL in an LNURL: `lnurl1…` in any case, as {@link pastedText} reads it, `lnurlp://…` (LUD-17), or a Lightning address. Undefined if
 * the text is none of them, or leads into Tor.
 */
export function urlOfLnurl(text: string): URL | undefined {
  const asked = pastedText(text);
  if (asked.length > MAX_CHARACTERS) return undefined;
  if (/^lnurlp:/i.test(asked)) return urlOf(asked.replace(/^lnurlp:(\/\/)?/i, 'https://'));
  return asked.includes('@') ? urlOfAddress(asked) : urlOfBech32(asked);
}

function urlOfBech32(text: string): URL | undefined {
  const decoded = bech32.decodeUnsafe(text, MAX_CHARACTERS);
  const bytes = decoded?.prefix === PREFIX && bech32.fromWordsUnsafe(decoded.words);
  return bytes ? urlOf(Buffer.from(bytes).toString('utf8')) : undefined;
}

function urlOf(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && !/\.onion\.?$/.test(url.hostname) ? url : undefined;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined for text that is no JSON, or nested too deep: services and payers send what they like. */
export const parsedJson = (text: string): unknown => (isTooDeep(text) ? undefined : orNone(() => JSON.parse(text) as unknown));

/**
 * Whether Lightning addresses of this domain are Sluice's own. With `PORT=0` the addresses have their port only after the start: ask each time.
 * @param host in lower case, with its port unless it is that of https
 */
export const isOwnDomain = ({ publicUrl, apiUrl }: Pick<Config, 'publicUrl' | 'apiUrl'>, host: string): boolean =>
  [publicUrl, apiUrl].some((url) => new URL(url).host === host);
