import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../../platform/database/index.js';
import { AccountService } from '../../wallet/index.js';
import { OnChainWallet } from '../onchain-wallet.js';

export type AddressOutcome =
  | { readonly kind: 'address'; readonly address: string }
  /** `unsupported`: there is no on-chain wallet. `unavailable`: it does not answer. */
  | { readonly kind: 'unknown_wallet' | 'unsupported' | 'unavailable' };

/** How far the node's wallet has to look ahead when it is restored from its seed. */
export interface LookAhead {
  readonly addresses: number;
  /** The longest run of addresses without a deposit before one with a deposit, and the one at the end. */
  readonly longestGap: number;
  readonly lastGap: number;
}

const INSERT = sql`INSERT INTO onchain_address (address, wallet_id, account_id) SELECT $1, w.id, w.account_id FROM wallet w WHERE w.id = $2
          ON CONFLICT (address) DO NOTHING RETURNING address`;
const CURRENT = sql`SELECT a.address FROM onchain_address a WHERE a.wallet_id = $1 ORDER BY a.created_at DESC LIMIT 1`;
const LOOK_AHEAD = sql`WITH used AS (SELECT row_number() OVER (ORDER BY a.created_at, a.address) AS place,
              EXISTS (SELECT FROM deposit d WHERE d.address = a.address) AS is_used FROM onchain_address a),
            gap AS (SELECT place - 1 - lag(place, 1, 0::bigint) OVER (ORDER BY place) AS size, place FROM used WHERE is_used)
          SELECT count(*)::int AS addresses, coalesce((SELECT max(size) FROM gap), 0)::int AS "longestGap",
            (count(*) - coalesce((SELECT max(place) FROM gap), 0))::int AS "lastGap" FROM used`;

/** A wallet that was restored from its seed may give addresses again that it has given before. */
const MAX_TRIES = 20;

/** Bitcoin addresses of wallets: the node's wallet makes them, and Sluice keeps whose they are. */
@Injectable()
export class OnChainAddressService {
  /** By wallet: what is asked for meanwhile waits for it. */
  private readonly first = new Map<string, Promise<AddressOutcome>>();

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly wallet: OnChainWallet,
  ) {}

  /** False: the organisation has no on-chain wallet, and `create` and `current` refuse. */
  get isSupported(): boolean {
    return this.wallet.isPresent;
  }

  create(userId: string, walletId: string): Promise<AddressOutcome> {
    return this.ofWallet(userId, walletId, (id) => this.make(id));
  }

  /** The latest address of the wallet; the first where there is none. */
  current(userId: string, walletId: string): Promise<AddressOutcome> {
    return this.ofWallet(userId, walletId, (id) => {
      const asked = this.first.get(id) ?? this.latestOrFirst(id).finally(() => this.first.delete(id));
      this.first.set(id, asked);
      return asked;
    });
  }

  /** What `current` answers, without making one: null where there is none, or no on-chain wallet. */
  async findCurrent(walletId: string): Promise<string | null> {
    if (!this.wallet.isPresent) return null;
    const [latest] = await this.database.query<{ address: string }>(CURRENT, [walletId]);
    return latest?.address ?? null;
  }

  async lookAhead(): Promise<LookAhead> {
    const [found] = await this.database.query<LookAhead>(LOOK_AHEAD);
    return found ?? { addresses: 0, longestGap: 0, lastGap: 0 };
  }

  private async ofWallet(userId: string, walletId: string, find: (id: string) => Promise<AddressOutcome>): Promise<AddressOutcome> {
    if (!this.wallet.isPresent) return { kind: 'unsupported' };
    const wallet = await this.accounts.findWallet(walletId);
    return wallet?.userId === userId ? find(wallet.id) : { kind: 'unknown_wallet' };
  }

  private async latestOrFirst(walletId: string): Promise<AddressOutcome> {
    const [latest] = await this.database.query<{ address: string }>(CURRENT, [walletId]);
    return latest ? { kind: 'address', ...latest } : this.make(walletId);
  }

  private async make(walletId: string): Promise<AddressOutcome> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const made = await this.wallet.newAddress();
      if (made.status === 'unknown') break;
      const [stored] = await this.database.query<{ address: string }>(INSERT, [made.address, walletId]);
      if (stored) return { kind: 'address', ...stored };
    }
    return { kind: 'unavailable' };
  }
}
