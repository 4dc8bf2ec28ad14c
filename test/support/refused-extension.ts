import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { Module } from '@nestjs/common';
import { createApp, loadConfig, type Extension } from '../../src/index.js';

@Module({})
export class EmptyModule {}

/** An extension with a fault that the test adds. */
export const plant = (more: Partial<Extension> = {}): Extension => ({ name: 'acme', module: EmptyModule, ...more });

/** Start-up fails before it opens anything: no database exists at this address. */
export async function refusal(...extensions: Extension[]): Promise<string> {
  const config = loadConfig({ LOG_LEVEL: 'silent', SECRET_KEY: 'x'.repeat(32) }, () => '');
  const started = createApp({ config, connection: { host: join(tmpdir(), 'sluice-nowhere') }, extensions });
  return started.then(
    () => 'it started',
    (error: Error) => error.message,
  );
}
