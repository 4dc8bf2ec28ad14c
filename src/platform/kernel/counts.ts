/** Counts by key; a key without a count takes no memory. */
export class Counts {
  total = 0;
  private readonly byKey = new Map<string, number>();

  get keys(): string[] {
    return [...this.byKey.keys()];
  }

  of(key: string): number {
    return this.byKey.get(key) ?? 0;
  }

  add(key: string, by: number): void {
    this.total += by;
    const count = this.of(key) + by;
    if (count > 0) this.byKey.set(key, count);
    else this.byKey.delete(key);
  }
}
