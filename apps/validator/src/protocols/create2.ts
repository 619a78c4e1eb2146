/** Factories that deploy any code they are given. */
import { keccak256 } from "viem/utils";
import { exactly, native } from "../effects.ts";
import type { Hex } from "../proposal.ts";
import { defineProtocol, fn, type Draft } from "../protocol.ts";
import { feeds, inert } from "../uses.ts";

/** Code is compared by its hash: it is too long to be stated in a request. */
const deploy = (initCode: Hex, at: string, value: { readonly n: bigint; readonly at: string }): Draft => ({
  act: "deploy",
  ...(value.n > 0n ? { gives: [{ asset: native, amount: exactly(value.n), at: value.at }] } : {}),
  admin: { kind: "deploy", party: null },
  choices: [{ what: "code", value: keccak256(initCode), at }],
});

const sent = (n: bigint) => ({ n, at: "value" });

export default defineProtocol({
  title: "Deployers",
  names: [],
  contracts: {
    raw: { 0: "0x4e59b44847b379578588920ca78fbf26c0b4956c" },
    createx: { 0: "0xba5ed099633d3b313e4d5f7bdc1305d3c28ba5ed" },
    create_call: {
      0: [
        "0x7cbb62eaa69f79e6873cd1ecb2392971036cfaa4",
        "0xb19d6ffc2182150f8eb585b79d4abcd7c5640a9d",
        "0x9b35af71d77eaf8d7e40252370304687390a1a52",
        "0x2ef5ecfbea521449e4de05edb1ce63b75eda90b4",
      ],
    },
  },
  libraries: ["create_call"],
  raw: { on: ["raw"], read: (data, call) => deploy(data, "data", sent(call.value)) },
  functions: [
    ...(["deployCreate", "deployCreate2", "deployCreate3"] as const).map((name) =>
      fn(
        `function ${name}(bytes initCode) payable`,
        ["createx"],
        { initCode: feeds.choice },
        ([initCode], call) => deploy(initCode, "initCode", sent(call.value)),
      ),
    ),
    ...(["deployCreate2", "deployCreate3"] as const).map((name) =>
      fn(
        `function ${name}(bytes32 salt, bytes initCode) payable`,
        ["createx"],
        { salt: inert.replay, initCode: feeds.choice },
        ([, initCode], call) => deploy(initCode, "initCode", sent(call.value)),
      ),
    ),
    fn(
      "function performCreate(uint256 value, bytes deploymentData)",
      ["create_call"],
      { value: feeds.amount, deploymentData: feeds.choice },
      ([n, initCode]) => deploy(initCode, "deploymentData", sent(n)),
    ),
    fn(
      "function performCreate2(uint256 value, bytes deploymentData, bytes32 salt)",
      ["create_call"],
      { value: feeds.amount, deploymentData: feeds.choice, salt: inert.replay },
      ([n, initCode]) => deploy(initCode, "deploymentData", sent(n)),
    ),
  ],
});
