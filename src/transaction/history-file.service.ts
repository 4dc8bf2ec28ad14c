import { Injectable } from '@nestjs/common';
import { firstPage } from '../database/index.js';
import { toApiAmount } from '../wallet/index.js';
import { csvLine, type CsvCell } from './csv.js';
import { displayCurrencyOf, feeOf, shown } from './display.js';
import { HistoryService, type HistoryScope } from './history.service.js';
import type { TransactionRow } from './transaction.row.js';

/** The most rows of a file: it is built in memory. */
export const MAX_FILE_ROWS = 5_000;
/** One statement reads this many: a connection is busy for a short time. */
const ROWS_AT_ONCE = 1_000;

/** The columns of a file, with the names and values of the API. */
const COLUMNS: Readonly<Record<string, (row: TransactionRow) => CsvCell>> = {
  id: ({ id }) => id,
  walletId: ({ walletId }) => walletId,
  createdAt: ({ createdAt }) => createdAt.toISOString(),
  direction: ({ direction }) => direction,
  status: ({ status }) => status,
  settlementAmount: ({ amount, currency }) => toApiAmount(amount, currency),
  settlementFee: feeOf,
  settlementCurrency: ({ currency }) => currency,
  settlementDisplayAmount: (row) => shown(row.amount, row),
  settlementDisplayFee: (row) => shown(row.fee, row),
  settlementDisplayCurrency: displayCurrencyOf,
  memo: ({ memo }) => ({ text: memo }),
  externalId: ({ externalId }) => ({ text: externalId }),
  counterPartyUsername: ({ counterpartyUsername }) => ({ text: counterpartyUsername }),
  paymentHash: ({ paymentHash }) => paymentHash ?? '',
  preImage: ({ preimage }) => preimage ?? '',
};
const CELLS = Object.values(COLUMNS);

/** The history as a file. */
@Injectable()
export class HistoryFileService {
  constructor(private readonly history: HistoryService) {}

  /** A line of column names and the rows, newest first, by RFC 4180. @returns null if there are more than `MAX_FILE_ROWS` */
  async csv(scope: HistoryScope): Promise<string | null> {
    const lines = [csvLine(Object.keys(COLUMNS))];
    let after: TransactionRow | undefined;
    do {
      const rows = await this.history.list(scope, { ...firstPage(ROWS_AT_ONCE), after });
      const page = rows.slice(0, ROWS_AT_ONCE);
      lines.push(...page.map((row) => csvLine(CELLS.map((cell) => cell(row)))));
      after = rows.length > ROWS_AT_ONCE ? page.at(-1) : undefined;
      if (lines.length - 1 + Number(after !== undefined) > MAX_FILE_ROWS) return null;
    } while (after);
    return lines.join('');
  }
}
