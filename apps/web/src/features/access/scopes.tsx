import type { JSX } from "react";
import { Text } from "../../components/text.tsx";

/** In the words that the service uses where it asks for them. */
const told: Readonly<Record<string, string>> = {
  "transactions:create:own": "propose transactions",
  "transactions:read:own": "read your transactions",
  "transactions:approve:own": "add a note (never counts as your approval)",
};

/** What a program may do, in a line. One that has no word here is shown by its name. */
export function Scopes({ scopes }: { readonly scopes: readonly string[] }): JSX.Element {
  return (
    <Text>{scopes.length === 0 ? "nothing" : scopes.map((scope) => told[scope] ?? scope).join(", ")}</Text>
  );
}
