import { Injectable } from '@nestjs/common';
import { LightningBackend, type CancelledInvoice, type CreatedInvoice, type InvoiceState, type NodeInfo } from './lightning-backend.js';
import { ALL_CAPABILITIES } from './lightning-port.js';

const UNKNOWN = { status: 'unknown' } as const;

/** Stands in for the node while an operator's command runs that needs none: it connects to nothing and sends nothing. */
@Injectable()
export class AbsentNode extends LightningBackend {
  readonly portVersion = 1;
  /** Nothing is known of the node that it stands for, and nothing is ruled out. */
  readonly capabilities = ALL_CAPABILITIES;
  readonly nodeId = '';

  async info(): Promise<NodeInfo> {
    return UNKNOWN;
  }

  async createInvoice(): Promise<CreatedInvoice> {
    return UNKNOWN;
  }

  override async cancelInvoice(): Promise<CancelledInvoice> {
    return 'unknown';
  }

  async lookupInvoice(): Promise<InvoiceState> {
    return UNKNOWN;
  }

  /** `not_sent` releases the hold of a payment that a command begins by mistake. */
  async pay(): Promise<{ status: 'not_sent' }> {
    return { status: 'not_sent' };
  }

  async lookupPayment(): Promise<typeof UNKNOWN> {
    return UNKNOWN;
  }

  override async latestPaymentIndex(): Promise<'unknown'> {
    return 'unknown';
  }

  override async listPayments(): Promise<typeof UNKNOWN> {
    return UNKNOWN;
  }

  override async probeFee(): Promise<typeof UNKNOWN> {
    return UNKNOWN;
  }

  override async channelBalance(): Promise<typeof UNKNOWN> {
    return UNKNOWN;
  }

  async *invoiceSettlements(): AsyncGenerator<never> {}

  async *paymentOutcomes(): AsyncGenerator<never> {}
}
