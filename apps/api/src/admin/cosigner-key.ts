import type { SecretStore } from "../platform/secrets/index.ts";
import { makeCallbackKey } from "../transactions/execute/cosign/index.ts";

/**
 * Prints the public key that owners give to their custodian's co-signer so that it trusts our answers.
 * Creates the key on first use.
 */
export async function showCosignerKey(
  secrets: Pick<SecretStore, "listCurrent" | "ensure">,
  action: string | undefined,
  print: (line: string) => void,
): Promise<boolean> {
  if (action !== undefined) return false;
  const { publicPem } = await makeCallbackKey(secrets)();
  print(publicPem.trimEnd());
  return true;
}
