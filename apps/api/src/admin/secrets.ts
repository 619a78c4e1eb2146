import type { SecretStore } from "../platform/secrets/index.ts";

/** What the operator sees of the service's secrets, which is everything but their values, and how keys are rotated. */
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
      for (const { id, reason } of failed) print(`${id} was left as it is: ${reason}`);
      print(`${rewrapped} secrets rewrapped under the current key.`);
      print(
        remaining === 0
          ? "None needs another key."
          : `${remaining} still need another key. Keep every key until this says none.`,
      );
      return true;
    }
    default:
      return false;
  }
}
