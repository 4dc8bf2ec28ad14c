import type { Network } from '../../platform/config/index.js';
import { SATS_PER_BTC } from '../../platform/kernel/money.js';
import { readAddress } from '../../money/onchain/index.js';

/** A bitcoin address, or a text of BIP 21 with one. */
export interface BitcoinText {
  readonly kind: 'address';
  readonly address: string;
  /** What it asks for; null: the payer chooses. */
  readonly sats: bigint | null;
  /** Who is paid, or for what, in the words of its maker. */
  readonly description: string | null;
}

/** `unsupported`: it requires what this reader does not know (BIP 21). */
export type BitcoinFault = 'invalid_address' | 'address_of_other_network' | 'invalid_amount' | 'unsupported';

const BIP21 = /^bitcoin:(?:\/\/)?([^?]*)(?:\?(.*))?$/is;
/** What may be meant for an address: its prefixes, also of other networks, or the alphabet of base58. */
const [SEGWIT, BASE58] = [/^(?:bc1|(?:tb|bcrt)1[a-z0-9]{20})/i, /^(?=.*[A-Z])[13mn2][1-9A-HJ-NP-Za-km-z]{24,34}$/];

/** @returns undefined for another text */
export function bitcoinTextIn(text: string, network: Network): BitcoinText | BitcoinFault | undefined {
  const [, written, query = ''] = BIP21.exec(text) ?? [];
  const read = readAddress((written ?? text).trim(), network);
  if (typeof read === 'string') {
    if (written === undefined && read === 'invalid' && !SEGWIT.test(text) && !BASE58.test(text)) return undefined;
    return read === 'invalid' ? 'invalid_address' : 'address_of_other_network';
  }
  // In a QR code the names of parameters are in capitals too.
  const given = new Map([...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value]));
  if ([...given.keys()].some((name) => name.startsWith('req-'))) return 'unsupported';
  const amount = given.get('amount');
  const sats = amount === undefined ? null : satsIn(amount);
  if (sats === undefined) return 'invalid_amount';
  const description = [given.get('label'), given.get('message')].filter(Boolean).join(': ');
  return { kind: 'address', address: read.address, sats, description: description || null };
}

/** Of a decimal number of bitcoin. */
function satsIn(amount: string): bigint | undefined {
  const [, whole, part = ''] = /^(\d{1,8})(?:\.(\d{0,8})0*)?$/.exec(amount) ?? [];
  if (whole === undefined) return undefined;
  const sats = BigInt(whole) * SATS_PER_BTC + BigInt(part.padEnd(8, '0'));
  return sats === 0n ? undefined : sats;
}
