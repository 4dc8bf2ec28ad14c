import { Inject, Injectable, Optional } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiKeyService } from '../../access/api-key/index.js';
import { InvoiceService } from '../../money/invoice/index.js';
import { LightningSimulator } from '../../money/lightning/index.js';
import { ChainSimulator, OnChainWallet } from '../../money/onchain/index.js';
import { RegistrationService, UserService, type UserRow } from '../../access/user/index.js';
import { AccountService, balanceOf, walletOf, type AccountRow } from '../../money/wallet/index.js';
import type { DemoUser } from './demo-file.js';

const PASSWORD = 'sluice-demo';
const PEOPLE = ['alice', 'bob'] as const;
const OPERATOR = 'operator';
const FUNDING_SATS = 1_000_000;
const FUNDING = 'demo-funding';
const CHAIN_SATS = 10_000_000n;
const BLOCK_SECONDS = 30;
const KEY_SCOPES = { read: ['read'], receive: ['receive'], write: ['write'], all: ['read', 'receive', 'write'] } as const;
const FUNDING_POLL_MS = 50;
const OLDEST = { limit: 100, forward: false, after: undefined, before: undefined };

/** The demo's money: the simulated outside pays an ordinary invoice of each user, and fills the operator's on-chain wallet. */
@Injectable()
export class DemoTreasury {
  constructor(
    private readonly invoices: InvoiceService,
    @Optional() @Inject(LightningSimulator) private readonly simulator: LightningSimulator | undefined,
    @Optional() @Inject(ChainSimulator) private readonly chain: ChainSimulator | undefined,
    private readonly wallet: OnChainWallet,
  ) {}

  /** The users' money came by Lightning: payments to bitcoin addresses leave from coins of the operator. */
  async fundChain(): Promise<void> {
    if (!this.chain) return;
    await this.chain.mineEvery(BLOCK_SECONDS);
    const balance = await this.wallet.balance();
    if (balance.status !== 'known' || balance.confirmedSats + balance.unconfirmedSats > 0n) return;
    const made = await this.wallet.newAddress();
    if (made.status === 'created') await this.chain.deposit({ address: made.address, sats: CHAIN_SATS });
    await this.chain.mine();
  }

  /** Once per account, even after an interrupted start: the external id of the invoice marks the progress. */
  async fund({ id: userId }: UserRow, account: () => Promise<AccountRow>): Promise<void> {
    // With a real node there is no simulated payer: the demo's users start with empty wallets.
    if (!this.simulator) return;
    const { id: accountId, wallets } = await account();
    const wallet = walletOf({ wallets }, 'BTC').id;
    const earlier = (await this.invoices.list({ accountId, walletIds: [wallet] }, OLDEST)).filter(
      ({ externalId, externalIdByOwner }) => externalIdByOwner && externalId.startsWith(FUNDING),
    );
    if (earlier.some(({ status }) => status === 'PAID')) return;
    const request =
      earlier.find(({ status }) => status === 'PENDING')?.paymentRequest ?? (await this.newInvoice(userId, wallet, earlier.length));
    await this.simulator.payOutside(request);
    const arrived = async (): Promise<boolean> =>
      (await account()).wallets.some((now) => now.id === wallet && balanceOf(now) >= FUNDING_SATS);
    while (!(await arrived())) await delay(FUNDING_POLL_MS);
  }

  private async newInvoice(userId: string, walletId: string, number: number): Promise<string> {
    const made = await this.invoices.create({
      walletId,
      userId,
      amountSats: FUNDING_SATS,
      memo: 'Welcome',
      externalId: `${FUNDING}-${number}`,
    });
    if (made.kind !== 'created') throw new Error(`The demo’s money could not be asked for: ${made.kind}`);
    return made.invoice.paymentRequest;
  }
}

@Injectable()
export class DemoPeople {
  constructor(
    private readonly registration: RegistrationService,
    private readonly users: UserService,
    private readonly accounts: AccountService,
    private readonly keys: ApiKeyService,
    private readonly treasury: DemoTreasury,
  ) {}

  /** @returns the users that `demo.json` lists: Alice and Bob */
  async ensure(): Promise<UserRow[]> {
    const made = [];
    for (const username of [...PEOPLE, OPERATOR]) {
      const email = `${username}@example.test`;
      await this.registration.createUser({ email, username, password: PASSWORD });
      const user = await this.users.findByEmail(email);
      // A visitor of the demo has deleted the account.
      if (!user && (await this.users.findByUsername(username)) === null) continue;
      if (!user)
        throw new Error(`The demo needs the e-mail address ${email} and the username ${username}; another account has one of them`);
      if (username === OPERATOR) await this.users.makeOperator(email);
      else made.push(user);
    }
    return made;
  }

  async fund(user: UserRow): Promise<void> {
    await this.treasury.fund(user, () => this.accounts.getOfUser(user.id));
  }

  /** Creates new keys and revokes those of an earlier `demo.json`. */
  async describe(user: UserRow): Promise<DemoUser> {
    for (const key of await this.keys.list(user.id))
      if (key.name.startsWith('demo ') && !key.revoked) await this.keys.revoke(user.id, key.id);
    const apiKeys = { read: '', receive: '', write: '', all: '' };
    for (const [name, scopes] of Object.entries(KEY_SCOPES)) {
      const made = await this.keys.create({ userId: user.id, name: `demo ${name}`, scopes, expireInDays: this.keys.rules.maxDays });
      if (made.kind !== 'created') throw new Error(`Could not create the demo key "${name}": ${JSON.stringify(made)}`);
      apiKeys[name as keyof typeof apiKeys] = made.secret;
    }
    const account = await this.accounts.getOfUser(user.id);
    return {
      email: user.email,
      password: PASSWORD,
      username: user.username,
      wallets: { BTC: walletOf(account, 'BTC').id, USD: walletOf(account, 'USD').id },
      apiKeys,
    };
  }
}
