import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/database/index.js';
import { languageOf } from './language.js';
import { usernameOf } from './identity.js';
import { USER_COLUMNS, UserService, type UserRow } from './user.service.js';

export type UsernameOutcome = { readonly kind: 'unchanged'; readonly user: UserRow } | { readonly kind: 'immutable' };

const SET_LANGUAGE = sql`UPDATE app_user SET language = $2 WHERE id = $1 RETURNING ${USER_COLUMNS.of('app_user')}`;

@Injectable()
export class ProfileService {
  constructor(
    private readonly database: Database,
    private readonly users: UserService,
  ) {}

  async setLanguage(userId: string, tag: string): Promise<UserRow | null> {
    const [user] = await this.database.query<UserRow>(SET_LANGUAGE, [userId, languageOf(tag)]);
    return user ?? null;
  }

  /** Every user has a username from registration, and Lightning addresses are built on it: it never changes. */
  async setUsername(userId: string, text: string): Promise<UsernameOutcome> {
    const user = await this.users.findById(userId);
    return user !== null && user.username === usernameOf(text) ? { kind: 'unchanged', user } : { kind: 'immutable' };
  }
}
