import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import type {
  MutationUserUpdateLanguageArgs,
  MutationUserUpdateUsernameArgs,
  QueryUsernameAvailableArgs,
  UserUpdateLanguageInput,
  UserUpdateUsernameInput,
} from '../generated/graphql.js';
import type { Complete } from '../graphql/index.js';

export class UsernameArgs implements Complete<QueryUsernameAvailableArgs> {
  username!: string;
}

export class UsernameInput implements Complete<UserUpdateUsernameInput> {
  username!: string;
}

export class UsernameUpdateArgs implements Complete<MutationUserUpdateUsernameArgs> {
  @ValidateNested() @Type(() => UsernameInput) input!: UsernameInput;
}

export class LanguageInput implements Complete<UserUpdateLanguageInput> {
  language!: string;
}

export class LanguageUpdateArgs implements Complete<MutationUserUpdateLanguageArgs> {
  @ValidateNested() @Type(() => LanguageInput) input!: LanguageInput;
}
