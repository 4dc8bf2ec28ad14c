import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import type {
  ApiKeyCreateInput,
  ApiKeyRevokeInput,
  MutationApiKeyCreateArgs,
  MutationApiKeyRevokeArgs,
  Scope,
} from '../generated/graphql.js';
import type { Complete } from '../graphql/index.js';
import { KeyExpiry, KeyName, KeyScopes } from './key-rules.js';

export class KeyCreateInput implements Complete<ApiKeyCreateInput> {
  @KeyName name!: string;
  @KeyScopes scopes!: readonly Scope[] | undefined;
  @KeyExpiry expireInDays!: number | null | undefined;
}

export class KeyCreateArgs implements Complete<MutationApiKeyCreateArgs> {
  @ValidateNested() @Type(() => KeyCreateInput) input!: KeyCreateInput;
}

export class KeyRevokeInput implements Complete<ApiKeyRevokeInput> {
  id!: string;
}

export class KeyRevokeArgs implements Complete<MutationApiKeyRevokeArgs> {
  @ValidateNested() @Type(() => KeyRevokeInput) input!: KeyRevokeInput;
}
