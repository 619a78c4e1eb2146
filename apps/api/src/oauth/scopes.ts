/** The scopes that an owner can grant, for the owner's own transactions only. */
export const grantableScopes = {
  "transactions:create:own": "Propose transactions for your account",
  "transactions:approve:own": "Record its own opinion on your transactions. It can never approve for you",
  "transactions:read:own": "Read your transactions and their outcomes",
} as const;

export type Scope = keyof typeof grantableScopes;

export const allScopes = Object.keys(grantableScopes) as readonly Scope[];

const isScope = (text: string): text is Scope => Object.hasOwn(grantableScopes, text);

/** Returns the requested scopes that exist, in our order; all if none is requested. Empty if none of them exists. */
export function chooseScopes(asked: string | undefined): readonly Scope[] {
  const wanted = new Set((asked ?? "").split(" ").filter((word) => word !== ""));
  return wanted.size === 0 ? allScopes : allScopes.filter((scope) => wanted.has(scope));
}

/** Returns the requested part of the grant, or undefined if the request exceeds it. */
export function narrowScopes(
  granted: readonly Scope[],
  asked: string | undefined,
): readonly Scope[] | undefined {
  const wanted = (asked ?? "").split(" ").filter((word) => word !== "");
  if (wanted.length === 0) return granted;
  if (!wanted.every((word) => isScope(word) && granted.includes(word))) return undefined;
  return granted.filter((scope) => wanted.includes(scope));
}
