import { columns, type RowOf } from '../database/index.js';
import { UserEntity } from './user.entity.js';

export const USER_COLUMNS = columns(UserEntity).except('passwordHash');

/** A person, without the password's hash. */
export type UserRow = RowOf<typeof USER_COLUMNS>;
