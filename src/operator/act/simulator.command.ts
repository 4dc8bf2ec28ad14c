import { msatOfSats, satsOfMsat } from '../../platform/kernel/money.js';
import { FAULTS_IN_WORDS, LightningSimulator, parseFaults, type Faults } from '../../money/lightning/index.js';
import { CommandError, commandsOf, required, text, type Arguments, UsageError, type OperatorContext } from '../command/index.js';

function simulatorOf(app: OperatorContext): LightningSimulator {
  try {
    return app.get(LightningSimulator);
  } catch {
    throw new CommandError('This server has a real Lightning node; simulator commands are not available');
  }
}

/** `--faults hold` or `--faults fail=no_route,delayMs=500`: the faults of the simulated network. */
function faultsIn(args: Arguments): Faults | undefined {
  const faults = text(args, 'faults');
  if (faults === undefined) return undefined;
  try {
    return parseFaults(faults);
  } catch (error) {
    throw new UsageError(`--faults: ${(error as Error).message}`);
  }
}

function satsIn(args: Arguments): bigint {
  const sats = text(args, 'sats') ?? '';
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
    async run(app, args) {
      const faults = faultsIn(args);
      const paid = await simulatorOf(app).payOutside(required(args, 'The invoice'), faults ? { faults } : {});
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
    async run(app, args) {
      const [memo, expiry, faults] = [text(args, 'memo'), text(args, 'expiry'), faultsIn(args)];
      if (expiry !== undefined && !/^\d{1,9}$/.test(expiry)) throw new UsageError('--expiry must be a number of seconds');
      const invoice = await simulatorOf(app).createOutsideInvoice({
        amountMsat: satsIn(args),
        ...(memo !== undefined && { memo }),
        ...(expiry !== undefined && { expirySeconds: Number(expiry) }),
        ...(faults && { faults }),
      });
      return { found: { paymentRequest: invoice.paymentRequest }, lines: [invoice.paymentRequest] };
    },
  },
  {
    name: 'simulator release',
    summary: 'Releases a payment stopped by `--faults hold`',
    arguments: '<payment-hash>',
    async run(app, args) {
      const paymentHash = required(args, 'The payment hash');
      if (!(await simulatorOf(app).release(paymentHash))) throw new CommandError('No payment with this hash is held');
      return { found: { paymentHash, released: true }, lines: ['released'] };
    },
  },
  {
    name: 'simulator payments',
    summary: 'Lists the latest payments of the simulated node',
    async run(app) {
      const payments = await simulatorOf(app).listPayments();
      const lines = payments.map(
        ({ direction, state, amountMsat, feeMsat, paymentHash, reason }) =>
          `${direction.padEnd(3)} ${state.padEnd(9)} ${amountMsat} msat, fee ${feeMsat} msat ${paymentHash}${reason === null ? '' : ` ${reason}`}`,
      );
      return { found: payments, lines };
    },
  },
);
