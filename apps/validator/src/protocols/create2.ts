/** Factories that deploy whatever code they are given. */
import { exactly, native } from "../effects.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";

const deploy = (call: CallView): Draft => ({
  act: "deploy",
  ...(call.value > 0n ? { gives: [{ asset: native, amount: exactly(call.value), at: "value" }] } : {}),
  admin: { kind: "deploy", party: null },
});

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
  raw: { on: ["raw"], read: (_data, call) => deploy(call) },
  functions: [
    fn("function deployCreate(bytes initCode) payable", ["createx"], (_args, call) => deploy(call)),
    fn("function deployCreate2(bytes initCode) payable", ["createx"], (_args, call) => deploy(call)),
    fn("function deployCreate2(bytes32 salt, bytes initCode) payable", ["createx"], (_args, call) =>
      deploy(call),
    ),
    fn("function deployCreate3(bytes initCode) payable", ["createx"], (_args, call) => deploy(call)),
    fn("function deployCreate3(bytes32 salt, bytes initCode) payable", ["createx"], (_args, call) =>
      deploy(call),
    ),
    fn("function performCreate(uint256 value, bytes deploymentData)", ["create_call"], (_args, call) =>
      deploy(call),
    ),
    fn(
      "function performCreate2(uint256 value, bytes deploymentData, bytes32 salt)",
      ["create_call"],
      (_args, call) => deploy(call),
    ),
  ],
});
