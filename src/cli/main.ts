#!/usr/bin/env node
import { PROGRAM } from '../platform/config/index.js';
import { runCommand } from './run-command.js';

await runCommand({ program: PROGRAM });
