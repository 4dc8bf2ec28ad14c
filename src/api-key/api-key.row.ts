/** A key as its owner sees it. The secret is shown once, when the key is created. */
export interface ApiKeyRow {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  /** In the order of the scope catalogue, with those of extensions. */
  readonly scopes: readonly string[];
  /** First and last characters: `sluice_9fK…Tz`. */
  readonly hint: string;
  /** The OAuth client that created it; null if its owner did. */
  readonly clientId: string | null;
  readonly createdAt: Date;
  /** Null: valid until it is revoked. */
  readonly expiresAt: Date | null;
  readonly expired: boolean;
  readonly revokedAt: Date | null;
  readonly revoked: boolean;
  /** At most one second late. */
  readonly lastUsedAt: Date | null;
  readonly lastUsedAddress: string | null;
  readonly lastRefusedAt: Date | null;
  /** The cause: see `RefusedBecause`. */
  readonly lastRefusal: string | null;
}

/** One refusal of a key. */
export interface ApiKeyRefusalRow {
  readonly at: Date;
  /** See `RefusedBecause`. */
  readonly cause: string;
  /** The requested root field, or method and path; null where the key itself was no longer valid. */
  readonly operation: string | null;
  readonly address: string | null;
}
