import { ResolveField, Resolver } from '@nestjs/graphql';
import type { Implements, Result } from '../graphql/index.js';
import { satsCeil } from '../kernel/money.js';
import { bitcoinOfMsat, centsOfMsat, dollarsOfCents, quoteInBitcoin, quoteOfCent, quoteOfSat } from '../price/index.js';
import { toApiAmount } from '../wallet/index.js';
import type { TransactionRow } from './transaction.row.js';

/** In the display currency: dollars, or bitcoin if there was no price to be trusted. */
function shown(minor: bigint, { currency, centsPerBtc }: TransactionRow): string {
  if (currency === 'USD') return dollarsOfCents(minor);
  return centsPerBtc === null ? bitcoinOfMsat(minor) : dollarsOfCents(centsOfMsat(minor, centsPerBtc));
}

type Computed =
  | 'settlementAmount'
  | 'settlementFee'
  | 'settlementCurrency'
  | 'settlementDisplayAmount'
  | 'settlementDisplayFee'
  | 'settlementDisplayCurrency'
  | 'settlementPrice'
  | 'initiationVia'
  | 'settlementVia';

/** Resolves every field from the row, which is self-contained: no field costs a statement. */
@Resolver('Transaction')
export class TransactionResolver implements Implements<'Transaction', Computed> {
  @ResolveField()
  settlementAmount(row: TransactionRow): number {
    return toApiAmount(row.amount, row.currency);
  }

  @ResolveField()
  settlementFee(row: TransactionRow): number {
    return row.currency === 'BTC' ? satsCeil(row.fee) : Number(row.fee);
  }

  @ResolveField()
  settlementCurrency(row: TransactionRow): Result<'Transaction', 'settlementCurrency'> {
    return row.currency;
  }

  @ResolveField()
  settlementDisplayAmount(row: TransactionRow): string {
    return shown(row.amount, row);
  }

  @ResolveField()
  settlementDisplayFee(row: TransactionRow): string {
    return shown(row.fee, row);
  }

  @ResolveField()
  settlementDisplayCurrency({ currency, centsPerBtc }: TransactionRow): string {
    return currency === 'BTC' && centsPerBtc === null ? 'BTC' : 'USD';
  }

  @ResolveField()
  settlementPrice(row: TransactionRow): Result<'Transaction', 'settlementPrice'> {
    const quote = row.currency === 'USD' ? quoteOfCent() : row.centsPerBtc === null ? quoteInBitcoin() : quoteOfSat(row.centsPerBtc);
    return { ...quote, formattedAmount: String(quote.base / 10 ** quote.offset) };
  }

  @ResolveField()
  initiationVia(row: TransactionRow): Result<'Transaction', 'initiationVia'> {
    if (row.initiation === 'intraledger') return { __typename: 'InitiationViaIntraLedger', ...counterpartyOf(row) };
    return { __typename: 'InitiationViaLn', paymentHash: row.paymentHash ?? '', paymentRequest: row.paymentRequest ?? '' };
  }

  @ResolveField()
  settlementVia(row: TransactionRow): Result<'Transaction', 'settlementVia'> {
    if (row.settlement === 'intraledger') return { __typename: 'SettlementViaIntraLedger', ...counterpartyOf(row), preImage: row.preimage };
    return { __typename: 'SettlementViaLn', preImage: row.preimage, paymentSecret: row.preimage };
  }
}

const counterpartyOf = ({
  counterpartyWalletId,
  counterpartyUsername,
}: TransactionRow): { counterPartyWalletId: string | null; counterPartyUsername: string | null } => ({
  counterPartyWalletId: counterpartyWalletId,
  counterPartyUsername: counterpartyUsername,
});
