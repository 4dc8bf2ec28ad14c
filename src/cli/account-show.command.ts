import { OperatorPaymentService, PaymentFreezeService } from '../money/payment/index.js';
import { AccountLimitsService, AccountService } from '../money/wallet/index.js';
import { accountNamed } from './account.command.js';
import { CommandError, commandsOf, MAX_ROWS, required } from './command.js';
import { lineOf, rowOf } from './payment-report.js';

export const accountShowCommands = commandsOf({
  name: 'account show',
  summary: 'Shows an account: its balances, its level, what is left of its limits, and its payments in flight',
  arguments: '<account>',
  details: ['An account is named by its id, or by the e-mail address or the username of its user.'],
  async run(app, args) {
    const accounts = app.get(AccountService);
    const [owner] = await accounts.ownersOf([await accountNamed(app, required(args, 'The account'))]);
    if (!owner) throw new CommandError('There is no account with this id');
    const account = await accounts.getOfUser(owner.userId);
    const { id, level, wallets } = account;
    const limitsService = app.get(AccountLimitsService);
    const [limits, freezes, inFlight] = await Promise.all([
      limitsService.list(account, limitsService.priceAt(null)),
      app.get(PaymentFreezeService).list(MAX_ROWS),
      app.get(OperatorPaymentService).list({ state: 'in_flight', olderThanSeconds: 0, limit: MAX_ROWS, after: null, accountId: id }),
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
});
