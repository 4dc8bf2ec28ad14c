import { Injectable } from '@nestjs/common';
import { LightningBackend, type CancelledInvoice, type CreatedInvoice, type InvoiceState, type NodeInfo } from './lightning-backend.js';

const UNKNOWN = { status: 'unknown' } as const;

/** Stands in for the node while an operator's command runs that needs none: it connects to nothing and sends nothing. */
@Injectable()
export class AbsentNode extends LightningBackend {
  readonly nodeId = '';

  async info(): Promise<NodeInfo> {
    return UNKNOWN;
  }

  async createInvoice(): Promise<CreatedInvoice> {
    return UNKNOWN;
  }

  async cancelInvoice(): Promise<CancelledInvoice> {
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

  async latestPaymentIndex(): Promise<'unknown'> {
    return 'unknown';
  }

  async *invoiceSettlements(): AsyncGenerator<never> {}

  async *paymentOutcomes(): AsyncGenerator<never> {}
}
