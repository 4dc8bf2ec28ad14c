import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import type {
  IntraLedgerPaymentSendInput,
  LnAddressPaymentSendInput,
  LnInvoiceFeeProbeInput,
  LnInvoicePaymentInput,
  LnNoAmountInvoiceFeeProbeInput,
  LnNoAmountInvoicePaymentInput,
  LnurlPaymentSendInput,
  MutationIntraLedgerPaymentSendArgs,
  MutationLnAddressPaymentSendArgs,
  MutationLnInvoiceFeeProbeArgs,
  MutationLnInvoicePaymentSendArgs,
  MutationLnNoAmountInvoiceFeeProbeArgs,
  MutationLnNoAmountInvoicePaymentSendArgs,
  MutationLnurlPaymentSendArgs,
} from '../generated/graphql.js';
import type { Complete } from '../graphql/index.js';

export class InvoicePaymentInput implements Complete<LnInvoicePaymentInput> {
  walletId!: string;
  paymentRequest!: string;
  memo!: string | null | undefined;
}

export class InvoicePaymentArgs implements Complete<MutationLnInvoicePaymentSendArgs> {
  @ValidateNested() @Type(() => InvoicePaymentInput) input!: InvoicePaymentInput;
}

export class NoAmountInvoicePaymentInput implements Complete<LnNoAmountInvoicePaymentInput> {
  walletId!: string;
  paymentRequest!: string;
  amount!: number;
  memo!: string | null | undefined;
}

export class NoAmountInvoicePaymentArgs implements Complete<MutationLnNoAmountInvoicePaymentSendArgs> {
  @ValidateNested() @Type(() => NoAmountInvoicePaymentInput) input!: NoAmountInvoicePaymentInput;
}

export class NoAmountInvoiceFeeProbeInput implements Complete<LnNoAmountInvoiceFeeProbeInput> {
  walletId!: string;
  paymentRequest!: string;
  amount!: number;
}

export class NoAmountInvoiceFeeProbeArgs implements Complete<MutationLnNoAmountInvoiceFeeProbeArgs> {
  @ValidateNested() @Type(() => NoAmountInvoiceFeeProbeInput) input!: NoAmountInvoiceFeeProbeInput;
}

export class InvoiceFeeProbeInput implements Complete<LnInvoiceFeeProbeInput> {
  walletId!: string;
  paymentRequest!: string;
}

export class InvoiceFeeProbeArgs implements Complete<MutationLnInvoiceFeeProbeArgs> {
  @ValidateNested() @Type(() => InvoiceFeeProbeInput) input!: InvoiceFeeProbeInput;
}

export class IntraLedgerInput implements Complete<IntraLedgerPaymentSendInput> {
  walletId!: string;
  recipientWalletId!: string;
  amount!: number;
  memo!: string | null | undefined;
}

export class IntraLedgerArgs implements Complete<MutationIntraLedgerPaymentSendArgs> {
  @ValidateNested() @Type(() => IntraLedgerInput) input!: IntraLedgerInput;
}

export class LnAddressPaymentInput implements Complete<LnAddressPaymentSendInput> {
  walletId!: string;
  lnAddress!: string;
  amount!: number;
}

export class LnAddressPaymentArgs implements Complete<MutationLnAddressPaymentSendArgs> {
  @ValidateNested() @Type(() => LnAddressPaymentInput) input!: LnAddressPaymentInput;
}

export class LnurlPaymentInput implements Complete<LnurlPaymentSendInput> {
  walletId!: string;
  lnurl!: string;
  amount!: number;
}

export class LnurlPaymentArgs implements Complete<MutationLnurlPaymentSendArgs> {
  @ValidateNested() @Type(() => LnurlPaymentInput) input!: LnurlPaymentInput;
}
