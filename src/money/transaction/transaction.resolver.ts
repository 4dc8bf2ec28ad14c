import { ResolveField, Resolver } from '@nestjs/graphql';
import type { Implements, Result } from '../../edge/graphql/index.js';
import { toApiAmount } from '../wallet/index.js';
import { counterpartyOf, displayOf, feeOf } from './display.js';
import { madeAt, type TransactionRow } from './transaction.row.js';

/** Resolves every field from the row, which is self-contained: no field costs a statement here. */
@Resolver('Transaction')
export class TransactionResolver implements Implements<'Transaction', keyof TransactionResolver> {
  @ResolveField()
  createdAt(row: TransactionRow): Date {
    return madeAt(row);
  }

  @ResolveField()
  settlementAmount(row: TransactionRow): number {
    return toApiAmount(row.amount, row.currency);
  }

  @ResolveField()
  settlementFee(row: TransactionRow): number {
    return feeOf(row);
  }

  @ResolveField()
  settlementCurrency(row: TransactionRow): Result<'Transaction', 'settlementCurrency'> {
    return row.currency;
  }

  @ResolveField()
  settlementDisplayAmount(row: TransactionRow): string {
    return displayOf(row).textOf(row.amount);
  }

  @ResolveField()
  settlementDisplayFee(row: TransactionRow): string {
    return displayOf(row).textOf(row.fee);
  }

  @ResolveField()
  settlementDisplayCurrency(row: TransactionRow): string {
    return displayOf(row).currency;
  }

  @ResolveField()
  settlementPrice(row: TransactionRow): Result<'Transaction', 'settlementPrice'> {
    const { quote } = displayOf(row);
    return { ...quote, formattedAmount: String(quote.base / 10 ** quote.offset) };
  }

  @ResolveField()
  initiationVia(row: TransactionRow): Result<'Transaction', 'initiationVia'> {
    if (row.initiation === 'intraledger') return { __typename: 'InitiationViaIntraLedger', ...counterpartyOf(row) };
    if (row.initiation === 'onchain') return { __typename: 'InitiationViaOnChain', address: row.address ?? '' };
    return { __typename: 'InitiationViaLn', paymentHash: row.paymentHash ?? '', paymentRequest: row.paymentRequest ?? '' };
  }

  @ResolveField()
  settlementVia(row: TransactionRow): Result<'Transaction', 'settlementVia'> {
    if (row.settlement === 'intraledger') return { __typename: 'SettlementViaIntraLedger', ...counterpartyOf(row), preImage: row.preimage };
    if (row.settlement === 'onchain') return { __typename: 'SettlementViaOnChain', id: row.id, transactionHash: row.txid, vout: row.vout };
    return { __typename: 'SettlementViaLn', preImage: row.preimage, paymentSecret: row.preimage };
  }
}
