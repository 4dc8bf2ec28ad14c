const SATS_DIGITS = 8;

/** Bitcoin as BIP 21 has it: a decimal number, without zeros at its end. */
function btcText(sats: number): string {
  const digits = String(sats).padStart(SATS_DIGITS + 1, '0');
  return `${digits.slice(0, -SATS_DIGITS)}.${digits.slice(-SATS_DIGITS)}`.replace(/\.?0+$/, '');
}

export interface BitcoinRequest {
  readonly address: string;
  /** Null: the payer chooses. */
  readonly sats: number | null;
  /** Who is paid. */
  readonly label: string;
  readonly paymentRequest: string;
}

/**
 * A text of BIP 21 for a QR code: a wallet that knows Lightning pays the invoice, every other one the address. Every wallet reads capitals in
 * bech32 (BIP 173) and invoices (BOLT 11), and they make the code smaller; not every one does in the scheme and the keys.
 */
export function bitcoinUri({ address, sats, label, paymentRequest }: BitcoinRequest): string {
  const written = /^(?:bc|tb|bcrt)1/.test(address) ? address.toUpperCase() : address;
  const amount = sats === null ? '' : `amount=${btcText(sats)}&`;
  return `bitcoin:${written}?${amount}label=${encodeURIComponent(label)}&lightning=${paymentRequest.toUpperCase()}`;
}
