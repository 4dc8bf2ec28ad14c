import { Config } from '../platform/config/index.js';
import { checkLnd, LndSettings } from '../money/lightning/index.js';
import { CommandError, JSON_OPTION, printResult, UsageError, type Command } from './command.js';

export const lndCommands: readonly Command[] = [
  {
    name: 'lnd check',
    summary: 'Checks the LND node: connection, rights of the macaroon, version, network, synchronisation, channels, liquidity',
    options: JSON_OPTION,
    details: [
      'It changes nothing. Where the macaroon has too few rights or too many, it prints the line that makes one with the least rights.',
    ],
    async run(app, args, print) {
      const { lightningBackend, network } = app.get(Config);
      if (lightningBackend !== 'lnd') throw new UsageError('This needs LIGHTNING_BACKEND=lnd, LND_ADDRESS and LND_MACAROON');
      const findings = await checkLnd(app.get(LndSettings).access(), network);
      printResult(
        args,
        print,
        findings,
        findings.map(({ name, ok, text }) => `${ok ? 'ok    ' : 'FAULT '} ${name.padEnd(10)} ${text}`),
      );
      const faults = findings.filter(({ ok }) => !ok);
      if (faults.length > 0) throw new CommandError(`The LND node is not ready for Sluice: ${faults.map(({ name }) => name).join(', ')}`);
      if (args.options['json'] === undefined) print('All is well.');
    },
  },
];
