import { eventually } from '../../src/testing/eventually.js';
import { socketClient, Subscribed, type CredentialHeaders } from './graphql.js';
import type { WalletClient } from './wallet-client.js';

const UPDATES = `subscription { myUpdates { errors { message } update {
  __typename
  ... on LnUpdate { status transaction { ...row } }
  ... on PaymentUpdate { outcome: status transaction { ...row } }
} } }
fragment row on Transaction { direction status settlementAmount initiationVia { ... on InitiationViaLn { paymentHash } } }`;

export interface Update {
  readonly __typename: string;
  readonly status?: string;
  readonly outcome?: string;
  readonly transaction: {
    readonly direction: string;
    readonly status: string;
    readonly settlementAmount: number;
    readonly initiationVia: { readonly paymentHash: string };
  };
}

interface Event {
  readonly myUpdates: { readonly errors: readonly { readonly message: string }[]; readonly update: Update };
}

/** The live updates of a wallet, seen from outside the server. */
export class Updates {
  private constructor(
    private readonly subscribed: Subscribed<Event>,
    private readonly client: ReturnType<typeof socketClient>,
    private readonly closeCode: Promise<number>,
  ) {}

  /** The protocol does not report when a subscription runs, so `payer` pays single satoshis until the first event arrives. */
  static async open(recipient: WalletClient, credential: CredentialHeaders, payer: WalletClient): Promise<Updates> {
    let closed: (code: number) => void = () => undefined;
    const closeCode = new Promise<number>((resolve) => (closed = resolve));
    const client = socketClient(recipient.url, credential, { onClosed: (event) => closed((event as { code: number }).code) });
    const subscribed = new Subscribed<Event>(client, UPDATES);
    subscribed.ended.catch(() => undefined);
    await eventually(async () => {
      await payer.pay((await recipient.invoice(1)).paymentRequest);
      return subscribed.events.length > 0;
    });
    return new Updates(subscribed, client, closeCode);
  }

  /** The next update that `isMeant` accepts; skips others. */
  async next(isMeant: (update: Update) => boolean): Promise<Update> {
    for (;;) {
      const { myUpdates } = await this.subscribed.next();
      if (isMeant(myUpdates.update)) return myUpdates.update;
    }
  }

  about(paymentHash: string): Promise<Update> {
    return this.next(({ transaction }) => transaction.initiationVia.paymentHash === paymentHash);
  }

  /** The code with which the server closes the socket. */
  closedWith(): Promise<number> {
    return this.closeCode;
  }

  close(): void {
    void this.client.dispose();
  }
}
