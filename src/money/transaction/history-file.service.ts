import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { firstPage } from '../../platform/database/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { toApiAmount } from '../wallet/index.js';
import { displayOf, feeOf, type Display } from './display.js';
import { COST_OF_ROW, HistoryService, type HistoryScope } from './history.service.js';
import { madeAt, type FileRow } from './transaction.row.js';

const FIRST_MS = 30_000;
const PIECE_MS = 10_000;

/** How long the reader of a download may still make it wait: readers that take little at a time would keep the downloads of all others from beginning. */
export class ReaderTime {
  private leftMs = FIRST_MS;

  constructor(private readonly clock: Clock) {}

  /**
   * Waits for the reader.
   * @param end is called when its time is over
   * @returns a function that ends the wait: the reader has taken the piece
   */
  wait(end: () => void): () => void {
    const since = this.clock.elapsed();
    const cancel = this.clock.timeout(this.leftMs, end);
    return () => {
      cancel();
      this.leftMs += PIECE_MS - (this.clock.elapsed() - since);
    };
  }
}

/** A text that spreadsheets read as a formula, which may send the file's contents elsewhere. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/**
 * The same inside of a text. Many spreadsheets divide a file at semicolons or tabs: to them a quote behind a comma hides neither a separator nor
 * a line break, and a formula may begin behind each.
 */
const INNER_FORMULA = /([;\t\r\n]"*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** A cell: text that another person may have written, or a value of the server's own, such as a negative amount. */
export type CsvCell = { readonly text: string | null } | string | number;

function cellOf(cell: CsvCell): string {
  if (typeof cell === 'string' || typeof cell === 'number') return String(cell);
  const text = (cell.text ?? '').replace(INNER_FORMULA, "$1'");
  const inert = FORMULA.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(cellOf).join(',')}\r\n`;

export const MAX_FILE_ROWS = 5_000;
/** One statement reads this many: a connection is busy for a short time, and the process too. */
const ROWS_AT_ONCE = 1_000;
/** A piece of a download; its reader may be slow, so one piece is in memory meanwhile. */
const ROWS_OF_PIECE = 500;
const BASE64_GROWTH = 4 / 3;

const COLUMNS: Readonly<Record<string, (row: FileRow, display: Display) => CsvCell>> = {
  id: ({ id }) => id,
  walletId: ({ walletId }) => walletId,
  createdAt: (row) => madeAt(row).toISOString(),
  direction: ({ direction }) => direction,
  status: ({ status }) => status,
  settlementAmount: ({ amount, currency }) => toApiAmount(amount, currency),
  settlementFee: feeOf,
  settlementCurrency: ({ currency }) => currency,
  settlementDisplayAmount: ({ amount }, { textOf }) => textOf(amount),
  settlementDisplayFee: ({ fee }, { textOf }) => textOf(fee),
  settlementDisplayCurrency: (_row, { currency }) => currency,
  memo: ({ memo }) => ({ text: memo }),
  externalId: ({ externalId }) => ({ text: externalId }),
  counterPartyUsername: ({ counterpartyUsername }) => ({ text: counterpartyUsername }),
  paymentHash: ({ paymentHash }) => paymentHash ?? '',
  preImage: ({ preimage }) => preimage ?? '',
  address: ({ address }) => address ?? '',
  transactionHash: ({ txid }) => txid ?? '',
};
const CELLS = Object.values(COLUMNS);
const HEADER = csvLine(Object.keys(COLUMNS));

function lineOf(row: FileRow): string {
  const display = displayOf(row);
  return csvLine(CELLS.map((cell) => cell(row, display)));
}

export type FileResult =
  { readonly kind: 'file'; readonly base64: string } | { readonly kind: 'too_many_rows' | 'too_long' | 'too_many_calls' };

const MAX_DOWNLOADS = 64;

export interface FileRequest {
  /** Makes a piece of the file in the caller's turn; rejects if the turn does not come. */
  readonly inTurn: <T>(make: () => Promise<T>) => T | Promise<T>;
  readonly userId: string;
  /** Charges rows in the rate limits of the caller; false if they exceed one. */
  readonly charge: (cost: number) => boolean;
}

/** The history as a file: a line of column names and the rows, newest first, by RFC 4180. */
@Injectable()
export class HistoryFileService {
  /** The accounts with a download that has not ended. */
  private readonly downloading = new Set<string>();

  constructor(
    private readonly history: HistoryService,
    private readonly clock: Clock,
  ) {}

  /** Builds the file in memory, so the caller bounds how many there are. Rows are counted and charged before any is read. */
  async csv(scope: HistoryScope, { charge, maxBytes }: Pick<FileRequest, 'charge'> & { readonly maxBytes: number }): Promise<FileResult> {
    const counted = await this.history.countUpTo(MAX_FILE_ROWS + 1, scope);
    if (counted > MAX_FILE_ROWS) return { kind: 'too_many_rows' };
    if (!charge(counted * COST_OF_ROW)) return { kind: 'too_many_calls' };
    const pieces = [Buffer.from(HEADER)];
    let [rows, bytes] = [0, HEADER.length];
    for await (const { text, length } of this.pages(scope, ROWS_AT_ONCE)) {
      const piece = Buffer.from(text);
      pieces.push(piece);
      [rows, bytes] = [rows + length, bytes + piece.length];
      // Rows may have been added since they were counted.
      if (rows > MAX_FILE_ROWS) return { kind: 'too_many_rows' };
      if (bytes * BASE64_GROWTH > maxBytes) return { kind: 'too_long' };
    }
    return { kind: 'file', base64: Buffer.concat(pieces).toString('base64') };
  }

  /**
   * The same however long it is: a piece is made in a turn when the one before has been taken, and no connection is kept between two of them.
   * Each piece is charged. No limit cuts a download that has begun, only the time of its reader (`ReaderTime`).
   * @returns undefined while another download of the account has not ended, or too many of all accounts
   */
  download(scope: HistoryScope, asked: FileRequest): Readable | undefined {
    return this.open(asked.userId, this.pieces(scope, asked));
  }

  /** The same for pieces of another file. */
  open(userId: string, made: AsyncGenerator<string>): Readable | undefined {
    if (this.downloading.has(userId) || this.downloading.size >= MAX_DOWNLOADS) return undefined;
    this.downloading.add(userId);
    const pieces = this.taken(made, () => file.destroy());
    const file = Readable.from(pieces, { objectMode: false, highWaterMark: 1 });
    return file.once('close', () => this.downloading.delete(userId));
  }

  private async *pieces(scope: HistoryScope, { inTurn, charge }: FileRequest): AsyncGenerator<string> {
    const pages = this.pages(scope, ROWS_OF_PIECE);
    yield HEADER;
    for (;;) {
      const page = await inTurn(() => pages.next());
      if (page.done) return;
      charge(page.value.length * COST_OF_ROW);
      yield page.value.text;
    }
  }

  /** The pieces, as fast as their reader takes them; `end` is called when it takes them too slowly. */
  private async *taken(pieces: AsyncGenerator<string>, end: () => void): AsyncGenerator<string> {
    const time = new ReaderTime(this.clock);
    for await (const piece of pieces) {
      const take = time.wait(end);
      try {
        yield piece;
      } finally {
        take();
      }
    }
  }

  /** One statement a page; none is empty. */
  private async *pages(scope: HistoryScope, size: number): AsyncGenerator<{ readonly text: string; readonly length: number }> {
    let after: FileRow | undefined;
    do {
      const rows = await this.history.listForFile(scope, { ...firstPage(size), after });
      const page = rows.slice(0, size);
      if (page.length > 0) yield { text: page.map(lineOf).join(''), length: page.length };
      after = rows.length > size ? page.at(-1) : undefined;
    } while (after);
  }
}
