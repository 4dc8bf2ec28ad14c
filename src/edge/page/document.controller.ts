import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Get, NotFoundException, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Tokens } from 'marked';
import { madeOnce } from '../../platform/kernel/made-once.js';
import { Public } from '../auth/index.js';
import { documentPage, INDEX, type Document } from './document.view.js';
import { escapeHtml, raw } from './html.js';
import { PageController } from './page.filter.js';
import { Pages, seeOther } from './pages.js';

/** The documents of this release, which lie beside `dist/`. */
const FOLDER = fileURLToPath(new URL('../../../../docs/', import.meta.url));
const TITLE = /^# (.+)$/m;
const NOT_IN_ANCHORS = /[^\p{L}\p{N} _-]/gu;

/** `docs/` as pages: the links between them are those of the files. */
@PageController('docs')
export class DocumentController {
  /** Drawn at their first request, by their paths. */
  private readonly documents = new Map<string, Promise<Document>>();
  private paths: ReadonlySet<string> | undefined;

  constructor(private readonly pages: Pages) {}

  @Public()
  @Get()
  index(@Res() reply: FastifyReply): void {
    seeOther(reply, INDEX);
  }

  @Public()
  @Get('*')
  async show(@Param('*') path: string, @Res() reply: FastifyReply): Promise<void> {
    if (!this.has(path)) throw new NotFoundException();
    const document = await madeOnce(this.documents, path, () => this.draw(path));
    this.pages.send(reply, { kind: 'gate' }, documentPage(this.pages.frame(), document));
  }

  private has(path: string): boolean {
    this.paths ??= new Set(readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')));
    return path.endsWith('.md') && this.paths.has(path);
  }

  private async draw(path: string): Promise<Document> {
    const [text, { Marked }] = await Promise.all([readFile(FOLDER + path, 'utf8'), import('marked')]);
    const isDocument = (href: string): boolean => this.has(posix.join(posix.dirname(path), href));
    const marked = new Marked({
      renderer: {
        /** Anchors are those of GitHub: the documents are read there too. */
        heading({ tokens, depth, text: title }: Tokens.Heading): string {
          const id = title.toLowerCase().replace(NOT_IN_ANCHORS, '').replaceAll(' ', '-');
          return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>`;
        },
        /** Other files of the source are named, not linked. */
        link({ href, tokens }: Tokens.Link): string {
          const [file = ''] = href.split('#');
          const name = this.parser.parseInline(tokens);
          return file === '' || URL.canParse(file) || isDocument(file) ? `<a href="${escapeHtml(href)}">${name}</a>` : name;
        },
      },
    });
    return { title: TITLE.exec(text)?.[1] ?? path, body: raw(await marked.parse(text)) };
  }
}
