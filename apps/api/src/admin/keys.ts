import { parseArgs } from "node:util";
import { isKeyLabel, isServerKeyType, type ApiKeyStore, type IssueKey } from "../api-keys/index.ts";

type Parts = { readonly store: ApiKeyStore; readonly issueKey: IssueKey };
type Print = (line: string) => void;

async function list({ store }: Parts, print: Print): Promise<true> {
  for (const { id, type, label, name, active, prefix, lastUsedAt } of await store.listServerKeys()) {
    const state = active ? "active " : "revoked";
    const used = lastUsedAt?.toISOString() ?? "never";
    print(`${id}  ${type.padEnd(6)} ${label.padEnd(8)} ${state}  ${prefix}…  ${name}, last used ${used}`);
  }
  return true;
}

async function create(
  { issueKey }: Parts,
  [type = "", name = ""]: readonly string[],
  label: string | undefined,
  print: Print,
): Promise<boolean> {
  if (!isServerKeyType(type) || name === "") return false;
  const chosen = label ?? (type === "orion" ? "orion" : "agent");
  if (!isKeyLabel(chosen)) return false;
  const { apiKey, secret } = await issueKey({ account: null, type, label: chosen, name, expiresAt: null });
  print(`${secret}\n\nIt is not shown again. Its id is ${apiKey.id}.`);
  return true;
}

async function revoke({ store }: Parts, [id]: readonly string[], print: Print): Promise<boolean> {
  if (id === undefined) return false;
  print((await store.revoke(id, null)) ? `${id} is revoked.` : `There is no server key ${id}.`);
  return true;
}

/** Issues ADMIN and ORION keys, which are never issued over the network. Returns false for an unknown command. */
export async function manageKeys(parts: Parts, args: readonly string[], print: Print): Promise<boolean> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { label: { type: "string" } },
  });
  const [action, ...rest] = positionals;
  if (action === undefined) return list(parts, print);
  if (action === "create") return create(parts, rest, values.label, print);
  return action === "revoke" && revoke(parts, rest, print);
}
