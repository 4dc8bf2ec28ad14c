import { OperatorPaymentService, PaymentFreezeService } from '../../money/payment/index.js';
import { PriceService } from '../../money/price/index.js';
import { AccountLimitsService, AccountService, LEVELS } from '../../money/wallet/index.js';
import { BECAUSE_OPTION, commandsOf, MAX_ROWS, UsageError } from '../command/index.js';
import { accountNamed, ownerNamed } from './named.js';
import { lineOf, rowOf } from './payment-report.js';

const details = ['An account is named by its id, or by the e-mail address or the username of its user.'];

export const accountCommands = commandsOf(
  {
    name: 'account level',
    summary: 'Sets how far the owner of an account is verified, and so what it may send in 24 hours',
    arguments: `<account> <${LEVELS.join('|')}>`,
    requiredOptions: BECAUSE_OPTION,
    details,
    async run(call) {
      const level = LEVELS.find((each) => each === call.secondArgument.toUpperCase());
      if (!level) throw new UsageError(`The level must be one of: ${LEVELS.join(', ')}`);
      const account = await accountNamed(call, call.argument);
      const outcome = await call.get(AccountLimitsService).setLevel(account, level, call.by);
      const said = outcome === 'changed' ? 'has' : 'had already';
      return { found: { account, level, outcome }, lines: [`Account ${account} ${said} the level ${level}.`] };
    },
  },
  {
    name: 'account show',
    summary: 'Shows an account: its balances, its level, what is left of its limits, and its payments in flight',
    arguments: '<account>',
    details,
    async run(call) {
      const owner = await ownerNamed(call, call.argument);
      const account = await call.get(AccountService).getOfUser(owner.userId);
      const { id, level, wallets } = account;
      const limitsService = call.get(AccountLimitsService);
      const [limits, freezes, inFlight] = await Promise.all([
        limitsService.list(account, limitsService.priceAt(call.get(PriceService).centsPerBtc)),
        call.get(PaymentFreezeService).list(MAX_ROWS),
        call.get(OperatorPaymentService).list({ state: 'in_flight', olderThanSeconds: 0, limit: MAX_ROWS, after: null, accountId: id }),
      ]);
      const isFrozen = freezes.some(({ subject }) => subject === 'all' || subject === id);
      const balances = wallets.map(({ id: wallet, currency, posted, held }) => ({
        wallet,
        currency,
        posted,
        held,
        available: posted - held,
      }));
      const unitOf = (currency: string): string => (currency === 'BTC' ? 'msat' : 'cents');
      const lines = [
        `${id}  of ${owner.username} (user ${owner.userId})  level ${level}${isFrozen ? '  sends are stopped: see "frozen"' : ''}`,
        ...balances.map(({ wallet, currency, posted, held, available }) => {
          const unit = unitOf(currency);
          return `${currency} wallet ${wallet}: ${posted} ${unit}, of which ${held} ${unit} are held and ${available} ${unit} available`;
        }),
        ...limits.map(({ flow, limit, left }) => `${flow}: ${left.cents} of ${limit.cents} cents left in 24 hours`),
        `payments in flight: ${inFlight.length}`,
        ...inFlight.map(lineOf),
      ];
      return { found: { id, ...owner, level, isFrozen, balances, limits, inFlight: inFlight.map(rowOf) }, lines };
    },
  },
);
