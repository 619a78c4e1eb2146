// The identity that the service reports for a credential.
import type { Countersign } from "@countersign/sdk";
import type { Row } from "../render/layout.ts";
import { plainLine } from "../terminal/plain-text.ts";

export type Identity =
  | {
      readonly as: "agent";
      readonly address: string | null;
      /** The ID with which the owner revokes the key. */
      readonly keyId: string;
      readonly scopes: readonly string[];
    }
  | { readonly as: "owner"; readonly address: string };

export async function identify(client: Countersign): Promise<Identity> {
  const found = await client.whoami();
  if (found.kind === "session") return { as: "owner", address: found.address };
  return { as: "agent", address: found.address, keyId: found.id, scopes: found.scopes };
}

export function identityRows(identity: Identity): readonly Row[] {
  const account = identity.address === null ? "none" : plainLine(identity.address);
  if (identity.as === "owner")
    return [
      ["account", account],
      ["signed in", "as the owner"],
    ];
  const scopes = identity.scopes.length === 0 ? "none" : identity.scopes.map(plainLine).join(", ");
  return [
    ["account", account],
    ["signed in", `as an agent, with key ${plainLine(identity.keyId)}`],
    ["scopes", scopes],
  ];
}
