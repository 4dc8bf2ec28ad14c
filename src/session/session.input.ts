import { Type } from 'class-transformer';
import { IsOptional, ValidateNested } from 'class-validator';
import type { MutationUserLogoutArgs, UserLogoutInput } from '../generated/graphql.js';
import type { Complete } from '../graphql/index.js';

export class LogoutInput implements Complete<UserLogoutInput> {
  deviceToken!: string;
}

export class LogoutArgs implements Complete<MutationUserLogoutArgs> {
  @IsOptional() @ValidateNested() @Type(() => LogoutInput) input!: LogoutInput | null | undefined;
}
