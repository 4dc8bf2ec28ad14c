import { Injectable } from '@nestjs/common';
import { firstPage } from '../database/index.js';
import { toApiAmount } from '../wallet/index.js';
import { csvLine, type CsvCell } from './csv.js';
import { displayCurrencyOf, feeOf, shown } from './display.js';
import { HistoryService, type HistoryScope } from './history.service.js';
import type { TransactionRow } from './transaction.row.js';

/** The most rows of a file that is built in memory. */
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
    const chunks: string[] = [];
    let rows = 0;
    for await (const { text, length } of this.chunks(scope)) {
      chunks.push(text);
      rows += length;
      if (rows > MAX_FILE_ROWS) return null;
    }
    return chunks.join('');
  }

  /** The same piece by piece, however long it is: one statement a piece, and no connection is kept between two of them. */
  async *csvPieces(scope: HistoryScope): AsyncGenerator<string> {
    for await (const { text } of this.chunks(scope)) yield text;
  }

  private async *chunks(scope: HistoryScope): AsyncGenerator<{ readonly text: string; readonly length: number }> {
    yield { text: csvLine(Object.keys(COLUMNS)), length: 0 };
    let after: TransactionRow | undefined;
    do {
      const rows = await this.history.list(scope, { ...firstPage(ROWS_AT_ONCE), after });
      const page = rows.slice(0, ROWS_AT_ONCE);
      yield { text: page.map((row) => csvLine(CELLS.map((cell) => cell(row)))).join(''), length: page.length };
      after = rows.length > ROWS_AT_ONCE ? page.at(-1) : undefined;
    } while (after);
  }
}
