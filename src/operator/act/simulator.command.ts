import { msatOfSats, satsOfMsat } from '../../platform/kernel/money.js';
import { orNone } from '../../platform/kernel/or-none.js';
import { FAULTS_IN_WORDS, LightningSimulator, parseFaults, type Faults } from '../../money/lightning/index.js';
import { ChainSimulator, MAX_MINED_BLOCKS, MAX_REORGANISED_BLOCKS } from '../../money/onchain/index.js';
import { CommandError, commandsOf, UsageError, type OperatorCall } from '../command/index.js';

function simulatorOf<T = LightningSimulator>(
  call: OperatorCall,
  simulator: abstract new (...args: never[]) => T = LightningSimulator as never,
): T {
  const found = orNone(() => call.get(simulator));
  if (!found) throw new CommandError('This server has a real Lightning node; simulator commands are not available');
  return found;
}

/** `--faults hold` or `--faults fail=no_route,delayMs=500`: the faults of the simulated network. */
function faultsIn(call: OperatorCall): Faults | undefined {
  const faults = call.text('faults');
  if (faults === undefined) return undefined;
  try {
    return parseFaults(faults);
  } catch (error) {
    throw new UsageError(`--faults: ${(error as Error).message}`);
  }
}

function satsIn(call: OperatorCall): bigint {
  const sats = call.text('sats') ?? '';
  if (!/^[1-9]\d{0,14}$/.test(sats)) throw new UsageError('--sats must be a whole number of satoshis, for example --sats 1000');
  return BigInt(sats);
}

/** The first positional argument: a number of blocks. */
function blocksIn(call: OperatorCall, max: number): number {
  const blocks = Number(call.argument || 1);
  if (!Number.isInteger(blocks) || blocks < 1 || blocks > max) throw new UsageError(`The number of blocks must be from 1 to ${max}`);
  return blocks;
}

const FAULTS_OPTION = { '--faults <faults>': 'faults of the simulated network, separated by commas' };

const FAULTS = ['Faults:', ...FAULTS_IN_WORDS.map(([value, words]) => `  ${value.padEnd(24)}${words}`)];

export const simulatorCommands = commandsOf(
  {
    name: 'simulator pay',
    summary: "Pays one of this server's invoices",
    arguments: '<invoice>',
    options: { ...FAULTS_OPTION },
    details: FAULTS,
    async run(call) {
      const faults = faultsIn(call);
      const paid = await simulatorOf(call).payOutside(call.argument, faults ? { faults } : {});
      if (!('amountMsat' in paid)) throw new CommandError(`The invoice was not paid: ${paid.status}`);
      return { found: paid, lines: [`${paid.status} ${satsOfMsat(paid.amountMsat)} sats ${paid.paymentHash}`] };
    },
  },
  {
    name: 'simulator invoice',
    summary: 'Creates an external test invoice for you to pay',
    requiredOptions: { '--sats <amount>': 'amount in satoshis' },
    options: {
      '--memo <text>': 'description of the invoice',
      '--expiry <seconds>': 'time until the invoice expires',
      ...FAULTS_OPTION,
    },
    details: FAULTS,
    async run(call) {
      const [memo, expiry, faults] = [call.text('memo'), call.number('expiry', 'a number of seconds'), faultsIn(call)];
      const invoice = await simulatorOf(call).createOutsideInvoice({
        amountMsat: msatOfSats(satsIn(call)),
        ...(memo !== undefined && { memo }),
        ...(expiry !== undefined && { expirySeconds: expiry }),
        ...(faults && { faults }),
      });
      return { found: { paymentRequest: invoice.paymentRequest }, lines: [invoice.paymentRequest] };
    },
  },
  {
    name: 'simulator release',
    summary: 'Releases a payment stopped by `--faults hold`',
    arguments: '<payment-hash>',
    async run(call) {
      const paymentHash = call.argument;
      if (!(await simulatorOf(call).release(paymentHash))) throw new CommandError('No payment with this hash is held');
      return { found: { paymentHash, released: true }, lines: ['released'] };
    },
  },
  {
    name: 'simulator payments',
    summary: 'Lists the latest payments of the simulated node',
    async run(call) {
      const payments = await simulatorOf(call).listPayments();
      const lines = payments.map(
        ({ direction, state, amountMsat, feeMsat, paymentHash, reason }) =>
          `${direction.padEnd(3)} ${state.padEnd(9)} ${amountMsat} msat, fee ${feeMsat} msat ${paymentHash}${reason === null ? '' : ` ${reason}`}`,
      );
      return { found: payments, lines };
    },
  },
  {
    name: 'simulator mine',
    summary: 'Mines blocks; the first confirms all transactions of the mempool',
    arguments: '[blocks]',
    async run(call) {
      const height = await simulatorOf(call, ChainSimulator).mine(blocksIn(call, MAX_MINED_BLOCKS));
      return { found: { height }, lines: [`The height is ${height}`] };
    },
  },
  {
    name: 'simulator reorg',
    summary: 'Replaces the latest blocks by a longer chain; their transactions are in the mempool again',
    arguments: '<depth>',
    async run(call) {
      const height = await simulatorOf(call, ChainSimulator).reorganise(blocksIn(call, MAX_REORGANISED_BLOCKS));
      return { found: { height }, lines: [`The height is ${height}`] };
    },
  },
  {
    name: 'simulator deposit',
    summary: 'Pays an on-chain address from outside',
    arguments: '<address>',
    requiredOptions: { '--sats <amount>': 'amount in satoshis' },
    async run(call) {
      const txid = await simulatorOf(call, ChainSimulator).deposit({ address: call.argument, sats: satsIn(call) });
      if (txid === null) throw new CommandError('This is no address of this network, or the amount is dust');
      return { found: { txid }, lines: [txid] };
    },
  },
  {
    name: 'simulator drop',
    summary: 'Removes a transaction from the mempool',
    arguments: '<txid>',
    async run(call) {
      const txid = call.argument;
      if (!(await simulatorOf(call, ChainSimulator).drop(txid))) throw new CommandError('No transaction with this id is in the mempool');
      return { found: { txid, dropped: true }, lines: ['dropped'] };
    },
  },
);
