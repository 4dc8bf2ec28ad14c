// Jest with the project's configuration, in a separate process, because it has its own handling of signals and exit codes.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { projectRoot } from './project.js';

/**
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export const startJest = (args, options) =>
  spawn(
    process.execPath,
    [
      '--max-semi-space-size=64',
      // Every processor has a worker already: collecting garbage on more threads takes an eighth more of the processors' time.
      '--single-threaded-gc',
      createRequire(import.meta.url).resolve('jest/bin/jest'),
      '--config',
      join(projectRoot, 'jest.config.cjs'),
      ...args,
    ],
    { cwd: projectRoot, ...options },
  );
