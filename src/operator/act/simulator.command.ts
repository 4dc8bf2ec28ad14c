import { msatOfSats, satsOfMsat } from '../../platform/kernel/money.js';
import { FAULTS_IN_WORDS, LightningSimulator, parseFaults, type Faults } from '../../money/lightning/index.js';
import { CommandError, commandsOf, UsageError, type OperatorCall } from '../command/index.js';

function simulatorOf(call: OperatorCall): LightningSimulator {
  try {
    return call.get(LightningSimulator);
  } catch {
    throw new CommandError('This server has a real Lightning node; simulator commands are not available');
  }
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
  return msatOfSats(BigInt(sats));
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
        amountMsat: satsIn(call),
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
);
