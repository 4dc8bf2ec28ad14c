import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import type {
  ApiKeyCreateInput,
  ApiKeySetLimitInput,
  LimitTimeWindow,
  MutationApiKeyCreateArgs,
  MutationApiKeySetLimitArgs,
  Scope,
} from '../../generated/graphql.js';
import type { Complete } from '../../edge/graphql/index.js';
import { KeyExpiry, KeyLimit, KeyName, KeyScopes } from './key-rules.js';

export class KeyCreateInput implements Complete<ApiKeyCreateInput> {
  @KeyName name!: string;
  @KeyScopes scopes!: readonly Scope[] | undefined;
  @KeyExpiry expireInDays!: number | null | undefined;
}

export class KeyCreateArgs implements Complete<MutationApiKeyCreateArgs> {
  @ValidateNested() @Type(() => KeyCreateInput) input!: KeyCreateInput;
}

export class KeySetLimitInput implements Complete<ApiKeySetLimitInput> {
  id!: string;
  limitTimeWindow!: LimitTimeWindow;
  @KeyLimit limitSats!: number;
}

export class KeySetLimitArgs implements Complete<MutationApiKeySetLimitArgs> {
  @ValidateNested() @Type(() => KeySetLimitInput) input!: KeySetLimitInput;
}
