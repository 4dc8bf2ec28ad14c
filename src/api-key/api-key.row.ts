/** A key as its owner sees it. The key itself is shown once, when it is made. */
export interface ApiKeyRow {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  /** In the order of the scope catalogue; those of extensions included. */
  readonly scopes: readonly string[];
  /** First and last characters: `sluice_9fK…Tz`. */
  readonly hint: string;
  /** The OAuth client that made it; null where its owner did. */
  readonly clientId: string | null;
  readonly createdAt: Date;
  /** Null: it works until it is revoked. */
  readonly expiresAt: Date | null;
  readonly expired: boolean;
  readonly revokedAt: Date | null;
  readonly revoked: boolean;
  /** A second late at most. */
  readonly lastUsedAt: Date | null;
  readonly lastUsedAddress: string | null;
  readonly lastRefusedAt: Date | null;
  /** Why: see `RefusedBecause`. */
  readonly lastRefusal: string | null;
}

/** Why a key was refused once. */
export interface ApiKeyRefusalRow {
  readonly at: Date;
  /** See `RefusedBecause`. */
  readonly cause: string;
  /** The root field, or the method and path, that was asked for; null where the key itself was not good any more. */
  readonly operation: string | null;
  readonly address: string | null;
}
