import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import type {
  ApiKeyCreateInput,
  ApiKeyRemoveLimitInput,
  ApiKeyRevokeInput,
  ApiKeySetLimitInput,
  LimitTimeWindow,
  MutationApiKeyCreateArgs,
  MutationApiKeyRemoveLimitArgs,
  MutationApiKeyRevokeArgs,
  MutationApiKeySetLimitArgs,
  Scope,
} from '../generated/graphql.js';
import type { Complete } from '../graphql/index.js';
import { KeyExpiry, KeyLimit, KeyName, KeyScopes } from './key-rules.js';

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

export class KeySetLimitInput implements Complete<ApiKeySetLimitInput> {
  id!: string;
  limitTimeWindow!: LimitTimeWindow;
  @KeyLimit limitSats!: number;
}

export class KeySetLimitArgs implements Complete<MutationApiKeySetLimitArgs> {
  @ValidateNested() @Type(() => KeySetLimitInput) input!: KeySetLimitInput;
}

export class KeyRemoveLimitInput implements Complete<ApiKeyRemoveLimitInput> {
  id!: string;
  limitTimeWindow!: LimitTimeWindow;
}

export class KeyRemoveLimitArgs implements Complete<MutationApiKeyRemoveLimitArgs> {
  @ValidateNested() @Type(() => KeyRemoveLimitInput) input!: KeyRemoveLimitInput;
}
