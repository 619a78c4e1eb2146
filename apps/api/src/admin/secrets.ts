import type { SecretStore } from "../platform/secrets/index.ts";

/** Shows the operator the service's secrets without their values, and rotates their keys. */
export async function manageSecrets(
  store: SecretStore,
  action: string | undefined,
  print: (line: string) => void,
): Promise<boolean> {
  switch (action) {
    case undefined: {
      const secrets = await store.list();
      if (secrets.length === 0) print("There are no secrets yet.");
      for (const { purpose, id, kekId, createdAt, retiredAt } of secrets)
        print(
          `${purpose.padEnd(20)} ${id}  under ${kekId}  since ${createdAt.toISOString()}` +
            (retiredAt === null ? "" : `  retired ${retiredAt.toISOString()}`),
        );
      return true;
    }
    case "rewrap": {
      const { rewrapped, failed, remaining } = await store.rewrap();
      for (const { id, reason } of failed) print(`${id} was left unchanged: ${reason}`);
      print(`${rewrapped} secrets rewrapped under the current key.`);
      print(
        remaining === 0
          ? "No secret needs another key."
          : `${remaining} still need another key. Keep every key until none do.`,
      );
      return true;
    }
    default:
      return false;
  }
}
