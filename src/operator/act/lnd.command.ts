import { Config } from '../../platform/config/index.js';
import { checkLnd, LndSettings } from '../../money/lightning/index.js';
import { OnChainSettings } from '../../money/onchain/index.js';
import { commandsOf, UsageError } from '../command/index.js';

export const lndCommands = commandsOf({
  name: 'lnd check',
  summary: 'Checks the LND node: connection, rights of the macaroon, version, network, synchronisation, channels, liquidity',
  details: [
    'It changes nothing. Where the macaroon has too few rights or too many, it prints the line that makes one with the least rights.',
  ],
  usesSettingsOnly: true,
  async run(call) {
    const { lightningBackend, network } = call.get(Config);
    if (lightningBackend !== 'lnd') throw new UsageError('This needs LIGHTNING_BACKEND=lnd, LND_ADDRESS and LND_MACAROON');
    const findings = await checkLnd(call.get(LndSettings).access(), network, call.get(OnChainSettings).ONCHAIN);
    const lines = findings.map(({ name, ok, text }) => `${ok ? 'ok    ' : 'FAULT '} ${name.padEnd(10)} ${text}`);
    const faults = findings.filter(({ ok }) => !ok).map(({ name }) => name);
    if (faults.length === 0) return { found: findings, lines: [...lines, 'All is well.'] };
    return { found: findings, lines, failure: `The LND node is not ready for Sluice: ${faults.join(', ')}` };
  },
});
