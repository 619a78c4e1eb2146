import { createHash } from "node:crypto";
import { recoverMessageAddress } from "viem";
import { expect, test } from "vitest";
import { aServer, says } from "../../test/server.ts";
import { account } from "../../test/viem/scripted.ts";
import { createCountersign } from "../client.ts";
import type { Hex } from "../types.ts";
import { updateSettingsBySignature } from "./settings-by-signature.ts";

test("signs the change, with the execution type where the wallet shows it", async () => {
  await using server = await aServer(says(200, { executionType: 2 }));
  const client = createCountersign({ url: server.url });
  const changed = await updateSettingsBySignature(client, {
    ...{ wallet: account, audience: "https://api.example", executionType: 2, repeatWindowSeconds: 60 },
  });
  expect(changed).toEqual({ executionType: 2 });
  const [one] = server.received;
  const header = (name: string): string => String(one?.headers[name]);
  expect(one?.method).toBe("PUT");
  expect(JSON.parse(one?.body ?? "")).toEqual({ executionType: 2, repeatWindowSeconds: 60 });
  const text = [
    "Ethereum Signed HTTP Request v1",
    "audience: https://api.example",
    `address: ${account.address}`,
    "chain-id: 11155111",
    "method: PUT",
    "target: /settings?executionType=2",
    `content-sha256: ${createHash("sha256")
      .update(one?.body ?? "")
      .digest("hex")}`,
    `timestamp: ${header("x-ethereum-timestamp")}`,
    `nonce: ${header("x-ethereum-nonce")}`,
  ].join("\n");
  const signature = header("x-ethereum-signature") as Hex;
  expect(await recoverMessageAddress({ message: text, signature })).toBe(account.address);
});
