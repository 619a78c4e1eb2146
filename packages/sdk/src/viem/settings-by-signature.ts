// A change of the settings as a signed request, for changes that give agents more freedom.
import type { Countersign } from "../client.ts";
import type { RequestOptions } from "../options.ts";
import type { Settings } from "../types.ts";
import { requestMessage, signedHeaders } from "./signed-request.ts";
import { signerOf, type Wallet } from "./signer.ts";

/** Options of `updateSettingsBySignature`. */
export type UpdateSettingsBySignatureOptions = RequestOptions &
  Pick<Settings, "executionType"> &
  Partial<Pick<Settings, "repeatWindowSeconds">> & {
    readonly wallet: Wallet;
    /** The service's public address, as published by its operator. */
    readonly audience: string;
    /** The chain of a contract wallet. */
    readonly chainId?: number;
  };

/**
 * Changes the settings with a signature of the owner's wallet instead of a session. The wallet shows the execution type.
 *
 * @example
 * await updateSettingsBySignature(client, { wallet, audience: "https://api.example", executionType: 2 });
 */
export async function updateSettingsBySignature(
  client: Countersign,
  options: UpdateSettingsBySignatureOptions,
): Promise<Settings> {
  const { wallet, audience, chainId, executionType, repeatWindowSeconds, signal } = options;
  const signer = signerOf(wallet);
  // Part of the target, because the wallet shows that line but only a hash of the body.
  const target = `/settings?executionType=${executionType}`;
  const body = { executionType, ...(repeatWindowSeconds === undefined ? {} : { repeatWindowSeconds }) };
  const message = await requestMessage({
    ...{ address: signer.address, audience, method: "PUT", target, body },
    ...(chainId === undefined ? {} : { chainId }),
  });
  signal?.throwIfAborted();
  const headers = await signedHeaders(signer, message);
  return (await client.request<Settings>(target, { method: "PUT", body, headers, signal, isOneTime: true }))
    .body;
}
