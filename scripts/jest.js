// Jest with the project's configuration, in a separate process, because it has its own handling of signals and exit codes.
import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { projectRoot } from './project.js';

/**
 * Flags of V8 for Jest and its workers. What a test file runs it runs a few times: it ends before code that was optimized for it pays, which
 * takes a fifth of the processor's time of a run. So V8 optimizes what runs forty times longer than its default.
 */
const V8_FLAGS = ['--interrupt-budget=5000000', '--max-semi-space-size=64'];

/** None for a Node whose V8 does not know them: it would not start. */
const v8Flags = () => (spawnSync(process.execPath, [...V8_FLAGS, '-e', '']).status === 0 ? V8_FLAGS : []);

/**
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export const startJest = (args, options) =>
  spawn(
    process.execPath,
    [...v8Flags(), createRequire(import.meta.url).resolve('jest/bin/jest'), '--config', join(projectRoot, 'jest.config.cjs'), ...args],
    { cwd: projectRoot, ...options },
  );
