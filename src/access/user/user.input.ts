import { Type } from 'class-transformer';
import { ValidateBy, ValidateNested } from 'class-validator';
import type { MutationUserUpdateLanguageArgs, UserUpdateLanguageInput } from '../../generated/graphql.js';
import type { Complete } from '../../edge/graphql/index.js';
import { languageOf } from './language.js';

const isLanguage = (tag: unknown): boolean => typeof tag === 'string' && languageOf(tag) !== undefined;
const KnownLanguage = ValidateBy({ name: 'knownLanguage', validator: { validate: isLanguage } }, { message: 'Invalid value for Language' });

export class LanguageInput implements Complete<UserUpdateLanguageInput> {
  @KnownLanguage language!: string;
}

export class LanguageUpdateArgs implements Complete<MutationUserUpdateLanguageArgs> {
  @ValidateNested() @Type(() => LanguageInput) input!: LanguageInput;
}
