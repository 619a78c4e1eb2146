/** What a program may be let do: with the owner's own transactions, and never more. */
export const grantableScopes = {
  "transactions:create:own": "Propose transactions for your account",
  "transactions:approve:own": "Note its own opinion on your transactions. It can never approve for you",
  "transactions:read:own": "Read your transactions and what became of them",
} as const;

export type Scope = keyof typeof grantableScopes;

export const allScopes = Object.keys(grantableScopes) as readonly Scope[];

const isScope = (text: string): text is Scope => Object.hasOwn(grantableScopes, text);

/** Those of the asked that exist, in our order; all if none is asked for. Empty if nothing of it can be given. */
export function chooseScopes(asked: string | undefined): readonly Scope[] {
  const wanted = new Set((asked ?? "").split(" ").filter((word) => word !== ""));
  return wanted.size === 0 ? allScopes : allScopes.filter((scope) => wanted.has(scope));
}

/** Of what was granted, what is asked for now; undefined if that is more. */
export function narrowScopes(
  granted: readonly Scope[],
  asked: string | undefined,
): readonly Scope[] | undefined {
  const wanted = (asked ?? "").split(" ").filter((word) => word !== "");
  if (wanted.length === 0) return granted;
  if (!wanted.every((word) => isScope(word) && granted.includes(word))) return undefined;
  return granted.filter((scope) => wanted.includes(scope));
}
