import type { Clock } from "@countersign/platform/clock";
import { makeTokenKey, tokenKeyPurpose } from "../sign-in/index.ts";
import type { SecretStore } from "../platform/secrets/index.ts";

const day = 24 * 60 * 60 * 1000;
/** A new key is published for a day before it signs, and the longest token lives thirty. */
const neededForMs = 31 * day;

type Parts = {
  readonly secrets: Pick<SecretStore, "listCurrent" | "save" | "retire">;
  readonly clock: Clock;
};

/**
 * Gives the service a new key to sign tokens with. Nobody is signed out: old keys verify as long as a token of theirs can be
 * alive, and only then are they retired here.
 */
export async function manageTokenKeys(
  { secrets, clock }: Parts,
  action: string | undefined,
  print: (line: string) => void,
): Promise<boolean> {
  const keys = await secrets.listCurrent(tokenKeyPurpose);
  if (action === undefined) {
    for (const { id, createdAt } of keys) print(`${id}  since ${createdAt.toISOString()}`);
    return true;
  }
  if (action !== "rotate") return false;
  // Newest first: whatever came before a key that is old enough can no longer be needed.
  const successor = keys.findIndex(
    ({ createdAt }) => clock.now().getTime() - createdAt.getTime() > neededForMs,
  );
  for (const { id } of successor === -1 ? [] : keys.slice(successor + 1)) {
    await secrets.retire(id);
    print(`${id} is retired: no token of it can be alive.`);
  }
  const id = await secrets.save({ purpose: tokenKeyPurpose, value: makeTokenKey() });
  print(`${id} is published from now on, and signs from tomorrow on.`);
  return true;
}
