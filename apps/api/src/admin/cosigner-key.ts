import type { SecretStore } from "../platform/secrets/index.ts";
import { makeCallbackKey } from "../transactions/execute/cosign/index.ts";

/** Shows what owners give to their custodian's co-signer, so that it believes our answers. The first time it is made. */
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
