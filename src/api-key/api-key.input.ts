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

/** The rules of a new key are in `key-rules.ts`, for the page too. */
export class KeyCreateInput implements Complete<ApiKeyCreateInput> {
  name!: string;
  scopes!: readonly Scope[] | undefined;
  expireInDays!: number | null | undefined;
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
