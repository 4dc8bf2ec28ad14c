import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/index.js';
import { Database, sql } from '../../../platform/database/index.js';
import { msatOfSats, satsOfMsat } from '../../../platform/kernel/money.js';
import { readAddress, type ChainAddress } from '../../onchain/index.js';
import { centsCosting, DealerService, wholeMsatOf } from '../../price/index.js';
import { AccountService, walletOf, type Currency, type WalletRef } from '../../wallet/index.js';
import { refused, type Refused } from '../payment.outcome.js';
import type { PaymentRefusal } from '../payment.refusals.js';
import { PayoutFees } from '../payout/payout-fees.js';
import type { PayoutSpeed } from '../payout/payout.settings.js';
import { chosenMsat, WITHOUT_NODE, type ChosenAmount, type InstantRail, type PaymentQuote, type RailPayer } from './rail.js';

/** Without an amount: all that the wallet has. */
export interface OnChainOrder extends ChosenAmount {
  readonly address: string;
  readonly speed: PayoutSpeed;
  /** Of the wallet that the caller means; undefined: of any. */
  readonly currency?: Currency | undefined;
}

/** What a wallet pays, in millisatoshis, and in cents where those were chosen. */
interface Amount {
  readonly msat: bigint;
  readonly cents: bigint | null;
}

const OWN_WALLET = sql`SELECT wallet_id AS "walletId" FROM onchain_address WHERE address = $1`;

/**
 * Pays bitcoin addresses: the payment is queued, and ends when a block has it. An address of ours is paid inside, at once and without a fee,
 * as wallet to wallet.
 */
@Injectable()
export class OnChainRail implements InstantRail<OnChainOrder> {
  readonly name = 'onchain';
  readonly isQueued = true;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly dealer: DealerService,
    private readonly fees: PayoutFees,
  ) {}

  get isPresent(): boolean {
    return this.fees.isPresent;
  }

  async quote(payer: RailPayer, order: OnChainOrder): Promise<PaymentQuote | Refused> {
    if (!this.isPresent) return refused('onchain_unsupported');
    const address = readAddress(order.address, this.config.network);
    if (typeof address === 'string') return refused(address === 'invalid' ? 'invalid_address' : 'address_of_other_network');
    const wallet = await this.accounts.findWallet(payer.walletId);
    if (wallet?.userId !== payer.userId) return refused('unknown_wallet');
    if (order.currency !== undefined && order.currency !== wallet.currency) return refused('wrong_currency');
    if (wallet.currency === 'USD' && this.dealer.rate.ask === null) return refused('no_price');
    const amount = await this.amountOf(order, wallet);
    if (typeof amount === 'string') return refused(amount);
    const [own] = await this.database.query<{ walletId: string }>(OWN_WALLET, [address.address]);
    return own ? this.inside(payer, wallet, address, amount, own.walletId) : this.outside(payer, order, wallet, address, amount);
  }

  private inside(
    { memo }: RailPayer,
    { currency }: WalletRef,
    { address }: ChainAddress,
    { msat, cents }: Amount,
    walletId: string,
  ): PaymentQuote {
    const { ask } = this.dealer.rate;
    const amountCents = currency === 'USD' && ask !== null ? (cents ?? centsCosting(msat, ask)) : null;
    const own = { recipientWalletId: walletId, payee: { walletId }, amountMsat: msat, feeLimitMsat: 0n, amountCents };
    return { ...this.common(address, memo), ...own };
  }

  private async outside(
    { memo }: RailPayer,
    { speed, ...order }: OnChainOrder,
    wallet: WalletRef,
    address: ChainAddress,
    { msat, cents }: Amount,
  ): Promise<PaymentQuote | Refused> {
    const isAll = isOfAll(order);
    const payout = await this.fees.quote(address, BigInt(satsOfMsat(msat)), speed, isAll);
    if (!payout) return refused('onchain_unavailable');
    const feeLimitMsat = msatOfSats(payout.minerLimitSats + payout.serviceSats);
    const amountMsat = isAll ? msat - feeLimitMsat : msat;
    if (amountMsat < feeLimitMsat) return refused(isAll && amountMsat <= 0n ? 'insufficient' : 'fee_above_amount');
    if (amountMsat < msatOfSats(address.dustSats)) return refused('dust');
    const isCovered = await this.isCovered(wallet, amountMsat + feeLimitMsat);
    if (isCovered !== true) return refused(isCovered === 'unknown' ? 'onchain_unavailable' : 'liquidity');
    const amounts = { amountMsat, feeLimitMsat, amountCents: isAll ? null : cents };
    return {
      ...this.common(address.address, memo),
      ...amounts,
      accountId: wallet.accountId,
      recipientWalletId: null,
      payee: { address: address.address },
      payout,
    };
  }

  /** A payer who has less learns by the balance: how much the wallet has is not for everyone to find out. */
  private async isCovered(payer: WalletRef, msat: bigint): Promise<boolean | 'unknown'> {
    const { ask } = this.dealer.rate;
    const cost = payer.currency === 'BTC' ? msat : centsCosting(msat, ask ?? 1n);
    return (await this.freeOf(payer)) < cost || this.fees.covers(BigInt(satsOfMsat(msat)));
  }

  private async freeOf({ userId, currency }: WalletRef): Promise<bigint> {
    const { posted, held } = walletOf(await this.accounts.getOfUser(userId), currency);
    return posted - held;
  }

  private common(address: string, memo: RailPayer['memo']) {
    return { ...WITHOUT_NODE, paymentRequest: address, memo: memo || null, ...this.dealer.rate };
  }

  private async amountOf(order: OnChainOrder, wallet: WalletRef): Promise<Amount | PaymentRefusal> {
    const { ask } = this.dealer.rate;
    if (isOfAll(order)) return this.allOf(wallet, ask);
    const msat = chosenMsat(order, ask);
    if (typeof msat === 'string') return msat;
    return { msat, cents: order.amountCents === undefined ? null : BigInt(order.amountCents) };
  }

  /** What is less than a satoshi cannot be sent, and stays. */
  private async allOf(wallet: WalletRef, ask: bigint | null): Promise<Amount | PaymentRefusal> {
    const [{ currency }, free] = [wallet, await this.freeOf(wallet)];
    const msat = currency === 'BTC' ? msatOfSats(satsOfMsat(free)) : wholeMsatOf(free, ask ?? 1n);
    return msat > 0n ? { msat, cents: currency === 'BTC' ? null : free } : 'insufficient';
  }
}

const isOfAll = ({ amountSats, amountCents }: ChosenAmount): boolean => amountSats === undefined && amountCents === undefined;
