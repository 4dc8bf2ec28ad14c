import { Injectable } from '@nestjs/common';
import { ApiKeyService } from '../../access/api-key/index.js';
import { AppService } from '../../access/oauth/index.js';
import { PaymentService, REFUSALS, type Initiator, type PaymentRefusal, type SendFailure } from '../../money/payment/index.js';
import { madeAt, type TransactionRow } from '../../money/transaction/index.js';
import { AccountService } from '../../money/wallet/index.js';
import { ChainProgressService } from './chain-progress.service.js';
import { activityStateOf, type Activity, type Actor } from './activity.view.js';
import { moneyOf, shownAmount, worthThen } from './amount.js';

const CAUSES: Readonly<Record<string, string>> = {
  no_route: 'no route found',
  insufficient_liquidity: 'no route found',
  expired: 'the invoice expired',
  rejected: 'the recipient rejected it',
  timeout: 'it timed out',
  never_sent: 'it was not sent',
  known_to_node: 'the invoice was paid by another payment',
  not_found: 'it never reached the Lightning node',
  operator: 'the operator cancelled it',
  denied: 'you did not approve it',
  approval_expired: 'you did not approve it in time',
  credential_ended: 'its key or app has ended',
  replaced: 'replaced by its sender',
} satisfies Partial<Record<Exclude<SendFailure, 'error'> | 'replaced', string>>;

/** One that was approved may be refused then, as any payment: that is a sentence. */
const causeOf = (failure: string): string =>
  CAUSES[failure] ??
  (Object.hasOwn(REFUSALS, failure) ? REFUSALS[failure as PaymentRefusal].page.replace(/\.$/, '') : 'the Lightning node could not send it');

@Injectable()
export class ActivityService {
  constructor(
    private readonly payments: PaymentService,
    private readonly keys: ApiKeyService,
    private readonly apps: AppService,
    private readonly accounts: AccountService,
    private readonly chain: ChainProgressService,
  ) {}

  async byPrincipals(userId: string, principalIds: readonly string[], limit: number): Promise<Activity[]> {
    return this.of(userId, await this.payments.listByPrincipals(principalIds, limit));
  }

  async of(userId: string, rows: readonly TransactionRow[]): Promise<Activity[]> {
    const initiators = await this.payments.listInitiators(rows.filter(({ direction }) => direction === 'SEND').map(({ id }) => id));
    const actors = await this.actorsOf(userId, initiators);
    const progress = await this.chain.of(rows);
    const { wallets } = await this.accounts.getOfUser(userId);
    return rows.map((row) => ({
      ...activityOf(row, actors.get(initiators.get(row.id)?.principalId ?? '') ?? null, progress(row.id)),
      party: row.counterpartyUsername ?? initiators.get(row.id)?.payee ?? (row.direction === 'SEND' ? shortAddress(row.address) : null),
      ownWallet: wallets.find(({ id }) => id === row.counterpartyWalletId)?.currency ?? null,
    }));
  }

  /** The names of the keys and apps that pay; read only if a key or app has paid. */
  private async actorsOf(userId: string, initiators: ReadonlyMap<string, Initiator>): Promise<Map<string, Actor>> {
    const actors = new Map<string, Actor>();
    if (initiators.size === 0) return actors;
    const [keys, apps] = await Promise.all([this.keys.list(userId), this.apps.list(userId)]);
    for (const { id, name } of keys) actors.set(id, { kind: 'key', id, name });
    for (const { id, name, grantIds } of apps) for (const grant of grantIds) actors.set(grant, { kind: 'app', id, name });
    return actors;
  }
}

/** The beginning and the end, which people compare: the page of the payment has all of it. */
const shortAddress = (address: string | null): string | null => address && `${address.slice(0, 10)}…${address.slice(-6)}`;

const absolute = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

const activityOf = (
  row: TransactionRow,
  by: Actor | null,
  progress: Pick<Activity, 'deposit' | 'payout'>,
): Omit<Activity, 'ownWallet' | 'party'> => ({
  id: row.id,
  amount: moneyOf(shownAmount(row), row.currency),
  about: row.status === 'FAILURE' ? null : worthThen(absolute(shownAmount(row)), row),
  state: activityStateOf(row),
  at: madeAt(row),
  // That of a deposit says in the API what its page says in words of its own.
  memo: progress.deposit ? null : row.memo,
  cause: row.failure === null ? null : causeOf(row.failure),
  by,
  address: row.address,
  approvalUntil: row.status === 'PENDING' ? row.approvalUntil : null,
  ...progress,
});
