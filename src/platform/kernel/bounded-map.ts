/** A map that evicts its oldest entries when it would exceed its maximum. Setting a key again makes it the newest. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  private total = 0;

  /**
   * @param most maximum of the entries' sizes together
   * @param sizeOf default: 1, so that `most` is the number of entries
   */
  constructor(
    private readonly most: number,
    private readonly sizeOf: (value: Value) => number = () => 1,
  ) {
    super();
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    this.total += this.sizeOf(value);
    for (const oldest of this.keys()) {
      if (this.total <= this.most) break;
      this.delete(oldest);
    }
    return this;
  }

  override delete(key: Key): boolean {
    const value = this.get(key);
    if (value === undefined || !super.delete(key)) return false;
    this.total -= this.sizeOf(value);
    return true;
  }

  override clear(): void {
    super.clear();
    this.total = 0;
  }
}
