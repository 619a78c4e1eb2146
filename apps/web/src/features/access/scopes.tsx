import type { JSX } from "react";
import { Text } from "../../components/text.tsx";

/** Matches the wording on the service's consent screen. */
const told: Readonly<Record<string, string>> = {
  "transactions:create:own": "propose transactions",
  "transactions:read:own": "read your transactions",
  "transactions:approve:own": "add a note (never counts as your approval)",
};

/** Lists scopes in words; unknown scopes are shown by name. */
export function Scopes({ scopes }: { readonly scopes: readonly string[] }): JSX.Element {
  return (
    <Text>{scopes.length === 0 ? "nothing" : scopes.map((scope) => told[scope] ?? scope).join(", ")}</Text>
  );
}
