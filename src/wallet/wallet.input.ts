import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import type {
  AccountUpdateDefaultWalletIdInput,
  AccountUpdateDisplayCurrencyInput,
  MutationAccountUpdateDefaultWalletIdArgs,
  MutationAccountUpdateDisplayCurrencyArgs,
  QueryAccountDefaultWalletArgs,
  QueryUserDefaultWalletIdArgs,
} from '../generated/graphql.js';
import type { Complete } from '../graphql/index.js';
import type { Currency } from './currency.js';

export class DefaultWalletArgs implements Complete<QueryAccountDefaultWalletArgs> {
  username!: string;
  walletCurrency!: Currency | null | undefined;
}

export class UserDefaultWalletIdArgs implements Complete<QueryUserDefaultWalletIdArgs> {
  username!: string;
}

export class DefaultWalletIdInput implements Complete<AccountUpdateDefaultWalletIdInput> {
  walletId!: string;
}

export class DefaultWalletIdArgs implements Complete<MutationAccountUpdateDefaultWalletIdArgs> {
  @ValidateNested() @Type(() => DefaultWalletIdInput) input!: DefaultWalletIdInput;
}

export class DisplayCurrencyInput implements Complete<AccountUpdateDisplayCurrencyInput> {
  currency!: string;
}

export class DisplayCurrencyArgs implements Complete<MutationAccountUpdateDisplayCurrencyArgs> {
  @ValidateNested() @Type(() => DisplayCurrencyInput) input!: DisplayCurrencyInput;
}
