import { ResolveField, Resolver } from '@nestjs/graphql';
import type { Implements, Result } from '../graphql/index.js';
import { satsCeil } from '../kernel/money.js';
import { centsOfMsat, dollarsOfCents, quoteOfCent, quoteOfSat } from '../price/index.js';
import { toApiAmount } from '../wallet/index.js';
import type { TransactionRow } from './transaction.row.js';

const inCents = (minor: bigint, { currency, centsPerBtc }: TransactionRow): bigint =>
  currency === 'BTC' ? centsOfMsat(minor, centsPerBtc) : minor;

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
    return dollarsOfCents(inCents(row.amount, row));
  }

  @ResolveField()
  settlementDisplayFee(row: TransactionRow): string {
    return dollarsOfCents(inCents(row.fee, row));
  }

  @ResolveField()
  settlementDisplayCurrency(): string {
    return 'USD';
  }

  @ResolveField()
  settlementPrice(row: TransactionRow): Result<'Transaction', 'settlementPrice'> {
    const quote = row.currency === 'BTC' ? quoteOfSat(row.centsPerBtc) : quoteOfCent();
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
