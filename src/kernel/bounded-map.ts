/** A map that evicts its oldest entry when it would exceed its maximum. Setting a key again makes it the newest. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  /** @param most maximum number of entries, at least one */
  constructor(private readonly most: number) {
    super();
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    if (this.size >= this.most) this.forgetOldest();
    return super.set(key, value);
  }

  private forgetOldest(): void {
    const oldest = this.keys().next();
    if (!oldest.done) this.delete(oldest.value);
  }
}
