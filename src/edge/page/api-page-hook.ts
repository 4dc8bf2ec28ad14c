import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Config } from '../../platform/config/index.js';
import { asksForApiPage } from '../http/index.js';
import { Log } from '../../platform/logging/index.js';
import { apiPage } from './api-page.js';
import { EditorFiles, type EditorFile } from './assets.js';
import { Pages } from './pages.js';

/** A hook, not a controller, because the route is Apollo's. */
@Injectable()
export class ApiPageHook {
  private readonly log = new Log('Pages');

  constructor(
    private readonly config: Config,
    private readonly pages: Pages,
    private readonly files: EditorFiles,
  ) {}

  attach(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      if (!asksForApiPage(request)) return done();
      void this.editor().then((files) => this.send(reply, files));
    });
  }

  private send(reply: FastifyReply, files: readonly EditorFile[] | null): void {
    const nonce = this.pages.nonce();
    const model = {
      frame: this.pages.frame(),
      apiUrl: this.config.apiUrl,
      websocketUrl: this.config.websocketUrl,
      editor: files && { nonce, files },
    };
    this.pages.send(reply, files ? { kind: 'editor', nonce } : { kind: 'gate' }, apiPage(model));
  }

  /** If its files cannot be read, the page appears without the editor. */
  private async editor(): Promise<readonly EditorFile[] | null> {
    try {
      return await this.files.all();
    } catch (error) {
      this.log.error('page_editor_missing', {}, 'Files of GraphiQL cannot be read; the page at /graphql has no editor', error);
      return null;
    }
  }
}
