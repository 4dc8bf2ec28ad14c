/** Marks a branch that the type system says cannot be reached; adding a member to the union breaks the compile there. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${String(value)}`);
}
