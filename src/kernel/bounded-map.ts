/** A map that forgets its oldest entry when there would be too many. What is set again is the latest again. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  /** @param most how many entries it may have, at least one */
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
