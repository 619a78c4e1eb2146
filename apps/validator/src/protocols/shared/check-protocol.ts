/** Rejects a malformed protocol file at start, with a sentence that names the place. */
import type { Address } from "../../proposal.ts";
import type { Protocol } from "../../protocol.ts";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const NAME = /^[^A-Z]+$/;

const refuse = (id: string, what: string): never => {
  throw new Error(`protocols/${id}.ts: ${what}`);
};

const checkAddresses = (id: string, role: string, addresses: readonly string[]): readonly Address[] =>
  addresses.map((address) => {
    if (!ADDRESS.test(address)) refuse(id, `contracts.${role} holds "${address}", which is not an address`);
    return address.toLowerCase() as Address;
  });

const checkContracts = (id: string, contracts: Protocol["contracts"]): Protocol["contracts"] =>
  Object.fromEntries(
    Object.entries(contracts).map(([role, chains]) => [
      role,
      Object.fromEntries(
        Object.entries(chains).map(([chain, at]) => [
          chain,
          checkAddresses(id, role, typeof at === "string" ? [at] : at),
        ]),
      ),
    ]),
  );

const checkRoles = (
  id: string,
  what: string,
  on: readonly string[] | "anywhere",
  known: ReadonlySet<string>,
): void => {
  if (on === "anywhere") return;
  const unknown = on.find((role) => !known.has(role));
  if (unknown !== undefined)
    refuse(id, `${what} is declared on "${unknown}", which is not a role of its contracts`);
};

/** The protocol with its addresses in lower case. */
export const checkProtocol = (id: string, protocol: Protocol): Protocol => {
  if (!/^[a-z0-9_]+$/.test(id)) refuse(id, "the file's name is the id: lower case, digits, underscores");
  if (typeof protocol.title !== "string" || !Array.isArray(protocol.functions)) {
    refuse(id, "does not export a protocol by default");
  }
  const bad = protocol.names.find((name) => !NAME.test(name));
  if (bad !== undefined) refuse(id, `the name "${bad}" must be in lower case`);
  const roles = new Set(Object.keys(protocol.contracts));
  for (const { signature, on } of protocol.functions) checkRoles(id, signature, on, roles);
  for (const { primaryType, on } of protocol.typedData ?? []) checkRoles(id, primaryType, on, roles);
  checkRoles(id, "receive", protocol.receive?.on ?? [], roles);
  checkRoles(id, "libraries", protocol.libraries ?? [], roles);
  return { ...protocol, contracts: checkContracts(id, protocol.contracts) };
};
