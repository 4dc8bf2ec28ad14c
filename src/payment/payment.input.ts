import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import type {
  IntraLedgerPaymentSendInput,
  IntraLedgerUsdPaymentSendInput,
  LnAddressPaymentSendInput,
  LnInvoiceFeeProbeInput,
  LnInvoicePaymentInput,
  LnNoAmountInvoiceFeeProbeInput,
  LnNoAmountInvoicePaymentInput,
  LnNoAmountUsdInvoiceFeeProbeInput,
  LnNoAmountUsdInvoicePaymentInput,
  LnurlPaymentSendInput,
  LnUsdInvoiceFeeProbeInput,
  MutationIntraLedgerPaymentSendArgs,
  MutationIntraLedgerUsdPaymentSendArgs,
  MutationLnAddressPaymentSendArgs,
  MutationLnInvoiceFeeProbeArgs,
  MutationLnInvoicePaymentSendArgs,
  MutationLnNoAmountInvoiceFeeProbeArgs,
  MutationLnNoAmountInvoicePaymentSendArgs,
  MutationLnNoAmountUsdInvoiceFeeProbeArgs,
  MutationLnNoAmountUsdInvoicePaymentSendArgs,
  MutationLnurlPaymentSendArgs,
  MutationLnUsdInvoiceFeeProbeArgs,
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

export class IntraLedgerUsdInput implements Complete<IntraLedgerUsdPaymentSendInput> {
  walletId!: string;
  recipientWalletId!: string;
  amount!: number;
  memo!: string | null | undefined;
}

export class IntraLedgerUsdArgs implements Complete<MutationIntraLedgerUsdPaymentSendArgs> {
  @ValidateNested() @Type(() => IntraLedgerUsdInput) input!: IntraLedgerUsdInput;
}

export class NoAmountUsdInvoicePaymentInput implements Complete<LnNoAmountUsdInvoicePaymentInput> {
  walletId!: string;
  paymentRequest!: string;
  amount!: number;
  memo!: string | null | undefined;
}

export class NoAmountUsdInvoicePaymentArgs implements Complete<MutationLnNoAmountUsdInvoicePaymentSendArgs> {
  @ValidateNested() @Type(() => NoAmountUsdInvoicePaymentInput) input!: NoAmountUsdInvoicePaymentInput;
}

export class UsdInvoiceFeeProbeInput implements Complete<LnUsdInvoiceFeeProbeInput> {
  walletId!: string;
  paymentRequest!: string;
}

export class UsdInvoiceFeeProbeArgs implements Complete<MutationLnUsdInvoiceFeeProbeArgs> {
  @ValidateNested() @Type(() => UsdInvoiceFeeProbeInput) input!: UsdInvoiceFeeProbeInput;
}

export class NoAmountUsdInvoiceFeeProbeInput implements Complete<LnNoAmountUsdInvoiceFeeProbeInput> {
  walletId!: string;
  paymentRequest!: string;
  amount!: number;
}

export class NoAmountUsdInvoiceFeeProbeArgs implements Complete<MutationLnNoAmountUsdInvoiceFeeProbeArgs> {
  @ValidateNested() @Type(() => NoAmountUsdInvoiceFeeProbeInput) input!: NoAmountUsdInvoiceFeeProbeInput;
}
