import { Config, throttlePolicies } from '../config/index.js';
import { JSON_OPTION, printResult, type Command } from './command.js';

export const limitsCommands: readonly Command[] = [
  {
    name: 'limits',
    summary: 'Lists the rate limits: what each counts, its present value, and the variable that sets it',
    options: JSON_OPTION,
    async run(app, args, print) {
      const policies = throttlePolicies(app.get(Config).throttle);
      const lines = policies.map(
        ({ name, limit, windowSeconds, variable, counts }) =>
          `${name.padEnd(22)} ${`${limit} in ${windowSeconds} s`.padEnd(14)} ${variable.padEnd(32)} ${counts}`,
      );
      printResult(args, print, policies, lines);
    },
  },
];
