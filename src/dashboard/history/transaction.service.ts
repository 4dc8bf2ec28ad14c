import { Injectable } from '@nestjs/common';
import { isUuid } from '../../platform/kernel/uuid.js';
import { dollars, PageError } from '../../edge/page/index.js';
import { OnChainSettings } from '../../money/onchain/index.js';
import { ExchangeService, type Exchange } from '../../money/payment/index.js';
import { HistoryService, type TransactionRow } from '../../money/transaction/index.js';
import { AccountService } from '../../money/wallet/index.js';
import { ActivityService } from '../activity/activity.service.js';
import { moneyOf, shownAmount, worthThen } from '../activity/amount.js';
import type { TransactionModel } from './transaction.view.js';

type Details = Omit<TransactionModel, 'frame' | 'username'>;

@Injectable()
export class TransactionPageService {
  constructor(
    private readonly accounts: AccountService,
    private readonly history: HistoryService,
    private readonly activities: ActivityService,
    private readonly exchanges: ExchangeService,
    private readonly onChain: OnChainSettings,
  ) {}

  /** @throws PageError unless it is a payment of this person */
  async find(userId: string, id: string): Promise<Details> {
    const account = await this.accounts.getOfUser(userId);
    const row = isUuid(id) ? await this.history.findById(id) : null;
    if (row?.accountId !== account.id) throw new PageError({ kind: 'error', error: 'missing' });
    const [activity] = await this.activities.of(userId, [row]);
    if (!activity) throw new PageError({ kind: 'error', error: 'missing' });
    const exchange = activity.ownWallet === null ? null : await this.exchangeOf(row);
    return { activity, ...detailsOf(row), chain: this.chainOf(row), exchange: exchange && shownExchange(exchange) };
  }

  /** Both rows of a conversion are of one payment, which has the id of the row that paid. */
  private async exchangeOf({ id, direction }: TransactionRow): Promise<Exchange | null> {
    const paymentId = direction === 'SEND' ? id : await this.history.findSent(id);
    return paymentId === null ? null : this.exchanges.find(paymentId);
  }

  private chainOf({ address, txid, vout }: TransactionRow): TransactionModel['chain'] {
    return address === null ? null : { address, output: txid && `${txid}:${vout}`, explorerUrl: txid && this.onChain.explorerUrlOf(txid) };
  }
}

const shownExchange = ({ gave, got, centsPerBtc }: Exchange): TransactionModel['exchange'] => ({
  gave: moneyOf(gave.amount, gave.currency),
  got: moneyOf(got.amount, got.currency),
  price: dollars(centsPerBtc),
});

function detailsOf(row: TransactionRow): Omit<Details, 'activity' | 'exchange' | 'chain'> {
  const sent = row.direction === 'SEND';
  const pending = row.status === 'PENDING';
  const absolute = row.amount < 0n ? -row.amount : row.amount;
  const signed = shownAmount(row);
  const shown = signed < 0n ? -signed : signed;
  const amount = row.status === 'SUCCESS' ? absolute + (sent ? -row.fee : row.fee) : shown;
  return {
    amount: moneyOf(amount, row.currency),
    fee: sent && row.status === 'SUCCESS' ? moneyOf(row.fee, row.currency) : null,
    depositFee: sent || row.fee === 0n ? null : moneyOf(row.fee, row.currency),
    held: sent && pending ? moneyOf(absolute, row.currency) : null,
    about: worthThen(shown, row),
    wallet: row.currency,
    paymentRequest: row.paymentRequest,
    paymentHash: row.paymentHash,
    preimage: row.preimage,
  };
}
