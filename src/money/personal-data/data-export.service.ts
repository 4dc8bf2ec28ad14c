import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { Database } from '../../platform/database/index.js';
import { HistoryFileService, type FileRequest } from '../transaction/index.js';
import { DATA_SECTIONS, ROWS_OF_PIECE, type DataRow, type DataSection } from './personal-data.js';

/** A person's data as one JSON object with a list for each kind, sent piece by piece like the file of the history. */
@Injectable()
export class DataExportService {
  constructor(
    private readonly database: Database,
    private readonly files: HistoryFileService,
  ) {}

  /** @returns undefined while another download of the person has not ended, or too many of all people */
  download(asked: FileRequest): Readable | undefined {
    return this.files.open(asked.userId, this.pieces(asked));
  }

  private async *pieces(asked: FileRequest): AsyncGenerator<string> {
    let before = '{\n';
    for (const section of DATA_SECTIONS) {
      yield `${before}"${section.name}": [`;
      yield* this.rows(section, asked);
      before = '\n],\n';
    }
    yield '\n]\n}\n';
  }

  private async *rows({ statement }: DataSection, { inTurn, charge, userId }: FileRequest): AsyncGenerator<string> {
    let last: DataRow | undefined;
    for (;;) {
      const values = [userId, last?.at, last?.id];
      const rows = await inTurn(() => this.database.query<DataRow>(statement, values));
      charge(rows.length);
      if (rows.length > 0) yield `${last ? ',' : ''}\n${rows.map(({ item }) => item).join(',\n')}`;
      if (rows.length < ROWS_OF_PIECE) return;
      last = rows.at(-1);
    }
  }
}
