import { Injectable } from '@nestjs/common';
import { PageError } from '../../edge/page/index.js';
import type { InvoiceRow } from '../../money/invoice/index.js';
import { DepositService, OnChainAddressService, OnChainSettings } from '../../money/onchain/index.js';
import type { AccountRow } from '../../money/wallet/index.js';
import { ActivityService } from '../activity/activity.service.js';
import { availableIn, moneyOf } from '../activity/amount.js';
import type { AddressModel, DepositsModel, DepositTerms } from './address.view.js';

const MAX_SHOWN = 10;
/** What no wallet pays to an address, because the network does not relay it. */
const DUST_SATS = 546;

/** The bitcoin address beside an invoice: the latest of its wallet, so that not each invoice makes one. */
@Injectable()
export class InvoiceAddressService {
  constructor(
    private readonly addresses: OnChainAddressService,
    private readonly deposits: DepositService,
    private readonly activities: ActivityService,
    private readonly settings: OnChainSettings,
  ) {}

  get isSupported(): boolean {
    return this.addresses.isSupported;
  }

  /** @param sats null: any amount */
  async find(
    account: AccountRow,
    { walletId, createdAt }: InvoiceRow,
    sats: number | null,
  ): Promise<DepositsModel & { readonly address: AddressModel | null }> {
    const address = await this.addresses.findCurrent(walletId);
    const rows = address === null ? [] : await this.deposits.listSince(account.id, address, createdAt, MAX_SHOWN);
    const { currency } = account.wallets.find(({ id }) => id === walletId) ?? { currency: 'BTC' };
    const hasCredit = rows.some(({ status }) => status === 'SUCCESS');
    return {
      address: this.canPay(sats) ? { address, terms: this.termsOf(sats) } : null,
      deposits: await this.activities.of(account.userId, rows),
      newBalance: hasCredit ? moneyOf(availableIn(account, currency), currency) : null,
    };
  }

  /** @throws PageError if the wallet has no address, and none can be made */
  async show(userId: string, walletId: string): Promise<void> {
    const { kind } = await this.addresses.current(userId, walletId);
    if (kind === 'address') return;
    throw new PageError(
      kind === 'unavailable' ? { kind: 'error', error: 'away', retryAfterSeconds: 5 } : { kind: 'error', error: 'missing' },
    );
  }

  /** An amount that the deposit fee would take is for Lightning alone. */
  private canPay(sats: number | null): boolean {
    if (!this.isSupported) return false;
    return sats === null || sats > Math.max(DUST_SATS, this.settings.depositFeeOf(BigInt(sats)));
  }

  private termsOf(sats: number | null): DepositTerms {
    const { settings } = this;
    if (sats === null) {
      const { bounds, values: confirmations } = settings.confirmations;
      return { kind: 'any', bounds, confirmations, feeSats: settings.DEPOSIT_FEE_SATS, freeAboveSats: settings.DEPOSIT_FEE_FREE_ABOVE };
    }
    const amount = BigInt(sats);
    return { kind: 'amount', sats, confirmations: settings.confirmationsOf(amount), feeSats: settings.depositFeeOf(amount) };
  }
}
