/** A proxy that runs any given code as its own. It holds its owner's positions. */
import { defineProtocol, fn } from "../protocol.ts";
import { feeds, openedAsCalls } from "../uses.ts";
import { administer, code as codeOf, picking } from "./shared/admin-drafts.ts";

export default defineProtocol({
  title: "DSProxy",
  names: ["dsproxy", "ds proxy"],
  contracts: { registry: { 1: "0x4678f0a6958e4d2bc4f1baf7bc52e8f3564f3fe4" } },
  functions: [
    fn(
      "function execute(address target, bytes data) payable",
      "anywhere",
      { target: openedAsCalls, data: openedAsCalls },
      ([target, data], call) => ({
        calls: [
          {
            to: target,
            value: call.value,
            data,
            delegatecall: true,
            account: call.to,
            sender: "self",
            at: "data",
          },
        ],
      }),
    ),
    fn(
      "function execute(bytes code, bytes data) payable",
      "anywhere",
      { code: feeds.choice, data: feeds.choice },
      ([code, data], call) =>
        picking(
          administer(call, "delegatecall", null, "code"),
          ...codeOf(code, "code"),
          ...codeOf(data, "data"),
        ),
    ),
    fn("function build() payable", ["registry"], {}, () => ({
      act: "deploy",
      admin: { kind: "deploy_account", party: null },
    })),
    fn("function build(address owner) payable", ["registry"], { owner: feeds.admin }, ([owner]) => ({
      act: "deploy",
      admin: { kind: "deploy_account", party: owner },
      places: { party: "owner" },
    })),
  ],
});
