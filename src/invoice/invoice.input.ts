import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import type {
  LnInvoiceCancelInput,
  LnInvoiceCreateInput,
  LnInvoiceCreateOnBehalfOfRecipientInput,
  LnInvoicePaymentStatusByHashInput,
  LnInvoicePaymentStatusByPaymentRequestInput,
  LnInvoicePaymentStatusInput,
  LnNoAmountInvoiceCreateInput,
  LnNoAmountInvoiceCreateOnBehalfOfRecipientInput,
  LnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientInput,
  LnUsdInvoiceCreateInput,
  LnUsdInvoiceCreateOnBehalfOfRecipientInput,
  MutationLnInvoiceCancelArgs,
  MutationLnInvoiceCreateArgs,
  MutationLnInvoiceCreateOnBehalfOfRecipientArgs,
  MutationLnNoAmountInvoiceCreateArgs,
  MutationLnNoAmountInvoiceCreateOnBehalfOfRecipientArgs,
  MutationLnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientArgs,
  MutationLnUsdInvoiceCreateArgs,
  MutationLnUsdInvoiceCreateOnBehalfOfRecipientArgs,
  QueryLnInvoicePaymentStatusArgs,
  QueryLnInvoicePaymentStatusByHashArgs,
  QueryLnInvoicePaymentStatusByPaymentRequestArgs,
} from '../generated/graphql.js';
import type { Complete } from '../graphql/index.js';

/** The scalars validate every value; these classes bind the keys to the SDL, so that none is missing. */
export class InvoiceCreateInput implements Complete<LnInvoiceCreateInput> {
  walletId!: string;
  amount!: number;
  memo!: string | null | undefined;
  expiresIn!: number | null | undefined;
  externalId!: string | null | undefined;
}

export class InvoiceCreateArgs implements Complete<MutationLnInvoiceCreateArgs> {
  @ValidateNested() @Type(() => InvoiceCreateInput) input!: InvoiceCreateInput;
}

/** `amount` in cents. */
export class UsdInvoiceCreateInput extends InvoiceCreateInput implements Complete<LnUsdInvoiceCreateInput> {}

export class UsdInvoiceCreateArgs implements Complete<MutationLnUsdInvoiceCreateArgs> {
  @ValidateNested() @Type(() => UsdInvoiceCreateInput) input!: UsdInvoiceCreateInput;
}

export class InvoiceOnBehalfInput implements Complete<LnInvoiceCreateOnBehalfOfRecipientInput> {
  recipientWalletId!: string;
  amount!: number;
  memo!: string | null | undefined;
  descriptionHash!: string | null | undefined;
  expiresIn!: number | null | undefined;
  externalId!: string | null | undefined;
  webhookUrl!: string | null | undefined;
}

export class InvoiceOnBehalfArgs implements Complete<MutationLnInvoiceCreateOnBehalfOfRecipientArgs> {
  @ValidateNested() @Type(() => InvoiceOnBehalfInput) input!: InvoiceOnBehalfInput;
}

/** `amount` in cents, or in satoshis. */
export class UsdInvoiceOnBehalfInput
  extends InvoiceOnBehalfInput
  implements Complete<LnUsdInvoiceCreateOnBehalfOfRecipientInput>, Complete<LnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientInput> {}

export class UsdInvoiceOnBehalfArgs
  implements
    Complete<MutationLnUsdInvoiceCreateOnBehalfOfRecipientArgs>,
    Complete<MutationLnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientArgs>
{
  @ValidateNested() @Type(() => UsdInvoiceOnBehalfInput) input!: UsdInvoiceOnBehalfInput;
}

export class NoAmountInvoiceCreateInput implements Complete<LnNoAmountInvoiceCreateInput> {
  walletId!: string;
  memo!: string | null | undefined;
  expiresIn!: number | null | undefined;
  externalId!: string | null | undefined;
}

export class NoAmountInvoiceCreateArgs implements Complete<MutationLnNoAmountInvoiceCreateArgs> {
  @ValidateNested() @Type(() => NoAmountInvoiceCreateInput) input!: NoAmountInvoiceCreateInput;
}

export class NoAmountInvoiceOnBehalfInput implements Complete<LnNoAmountInvoiceCreateOnBehalfOfRecipientInput> {
  recipientWalletId!: string;
  memo!: string | null | undefined;
  expiresIn!: number | null | undefined;
  externalId!: string | null | undefined;
  webhookUrl!: string | null | undefined;
}

export class NoAmountInvoiceOnBehalfArgs implements Complete<MutationLnNoAmountInvoiceCreateOnBehalfOfRecipientArgs> {
  @ValidateNested() @Type(() => NoAmountInvoiceOnBehalfInput) input!: NoAmountInvoiceOnBehalfInput;
}

export class InvoiceCancelInput implements Complete<LnInvoiceCancelInput> {
  walletId!: string;
  paymentHash!: string;
}

export class InvoiceCancelArgs implements Complete<MutationLnInvoiceCancelArgs> {
  @ValidateNested() @Type(() => InvoiceCancelInput) input!: InvoiceCancelInput;
}

export class StatusByHashInput implements Complete<LnInvoicePaymentStatusByHashInput> {
  paymentHash!: string;
}

export class StatusByHashArgs implements Complete<QueryLnInvoicePaymentStatusByHashArgs> {
  @ValidateNested() @Type(() => StatusByHashInput) input!: StatusByHashInput;
}

export class StatusByRequestInput implements Complete<LnInvoicePaymentStatusByPaymentRequestInput>, Complete<LnInvoicePaymentStatusInput> {
  paymentRequest!: string;
}

export class StatusByRequestArgs
  implements Complete<QueryLnInvoicePaymentStatusByPaymentRequestArgs>, Complete<QueryLnInvoicePaymentStatusArgs>
{
  @ValidateNested() @Type(() => StatusByRequestInput) input!: StatusByRequestInput;
}
