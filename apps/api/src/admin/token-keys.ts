import type { Clock } from "@countersign/platform/clock";
import { makeTokenKey, tokenKeyPurpose } from "../sign-in/index.ts";
import type { SecretStore } from "../platform/secrets/index.ts";

const day = 24 * 60 * 60 * 1000;
/** A new key is published for a day before it signs, and the longest-lived token lasts 30 days. */
const neededForMs = 31 * day;

type Parts = {
  readonly secrets: Pick<SecretStore, "listCurrent" | "save" | "retire">;
  readonly clock: Clock;
};

/**
 * Adds a new key for signing tokens. No session ends: an old key keeps verifying until its last token has
 * expired, and is retired here only after that.
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
  // Newest first. Keys older than one that has signed long enough have no valid tokens left.
  const successor = keys.findIndex(
    ({ createdAt }) => clock.now().getTime() - createdAt.getTime() > neededForMs,
  );
  for (const { id } of successor === -1 ? [] : keys.slice(successor + 1)) {
    await secrets.retire(id);
    print(`${id} is retired: all its tokens have expired.`);
  }
  const id = await secrets.save({ purpose: tokenKeyPurpose, value: makeTokenKey() });
  print(`${id} is published now and signs from tomorrow.`);
  return true;
}
