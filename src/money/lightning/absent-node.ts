import { Injectable } from '@nestjs/common';
import { LightningBackend } from './lightning-backend.js';
import { ALL_CAPABILITIES } from './lightning-port.js';

const unknown = async (): Promise<{ status: 'unknown' }> => ({ status: 'unknown' });
const unknownWord = async (): Promise<'unknown'> => 'unknown';
const nothing = async function* (): AsyncGenerator<never> {};

/** Stands in for the node while an operator's command runs that needs none: it connects to nothing and sends nothing. */
@Injectable()
export class AbsentNode extends LightningBackend {
  readonly portVersion = 1;
  /** Nothing is known of the node that it stands for, and nothing is ruled out. */
  readonly capabilities = ALL_CAPABILITIES;
  readonly nodeId = '';
  readonly info = unknown;
  readonly createInvoice = unknown;
  readonly lookupInvoice = unknown;
  readonly lookupPayment = unknown;
  override readonly lookupPaymentAnew = unknown;
  override readonly cancelInvoice = unknownWord;
  override readonly latestPaymentIndex = unknownWord;
  override readonly listPayments = unknown;
  override readonly probeFee = unknown;
  override readonly channelBalance = unknown;
  readonly invoiceSettlements = nothing;
  readonly paymentOutcomes = nothing;

  /** `not_sent` releases the hold of a payment that a command begins by mistake. */
  async pay(): Promise<{ status: 'not_sent' }> {
    return { status: 'not_sent' };
  }
}
