import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { hashReport } from "@countersign/wire";
import { anAddress } from "../../test/proposals.ts";
import { bundleOf } from "./bundle.ts";

const question = {
  human_intent: "Send 1 ETH",
  proposed_tx: { to: anAddress(), value: "1", data: "0x", chainId: 1 },
  metadata: { from: anAddress(), chain_id: 1, now: 1_790_000_000, state: { version: 1 } },
} as const;
const naming = (hash: unknown) => ({ context: { inputs: { hash } } });

test("contains the request that the report names", () => {
  const bundle = bundleOf(question, naming(hashReport(question)));
  expect(JSON.parse(gunzipSync(bundle ?? Buffer.alloc(0)).toString())).toEqual(question);
});

test.each<[string, unknown]>([
  ["another request", naming(hashReport({ ...question, human_intent: "Send 2 ETH" }))],
  ["a request without a hash", naming(null)],
  ["no inputs", { context: {} }],
  ["nothing", {}],
])("is not made for a report that names %s", (_, report) => {
  expect(bundleOf(question, report)).toBeUndefined();
});

test("is not made for a request without a canonical text", () => {
  const broken = { ...question, human_intent: "\ud800" };
  expect(bundleOf(broken, naming(hashReport(question)))).toBeUndefined();
  expect(bundleOf(broken, {})).toBeUndefined();
});
