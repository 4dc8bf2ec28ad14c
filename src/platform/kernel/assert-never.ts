/** Marks a branch that the type system says is unreachable; adding a member to the union is a compile error there. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${String(value)}`);
}
