/** The native token as an ERC-20 token. One for one both ways, so there is no minimum to check. */
import { exactly, native, token } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { feeds } from "../uses.ts";

const wrap = (call: CallView, receiver: CallView["sender"] = call.sender): Draft => ({
  act: "wrap",
  gives: [{ asset: native, amount: exactly(call.value), at: "value" }],
  gets: [{ asset: token(call.to), amount: exactly(call.value), at: "value" }],
  receiver,
  places: { amount: "value" },
});

const unwrap = (call: CallView, amount: bigint, receiver: CallView["sender"] = call.sender): Draft => ({
  act: "unwrap",
  gives: [{ asset: token(call.to), amount: exactly(amount), at: "amount" }],
  gets: [{ asset: native, amount: exactly(amount), at: "amount" }],
  receiver,
  places: { amount: "amount" },
});

/** OP Stack chains have it at one address. */
const OP_WRAPPED: Address = "0x4200000000000000000000000000000000000006";

/**
 * Some rollups have a wrapper that can also wrap for another account. The usual one treats any unknown function as a
 * deposit by the caller, so these must not be read there.
 */
const on = ["wrapper", "rollup_wrapper"];

export default defineProtocol({
  title: "Wrapped native token",
  names: ["weth", "weth9", "wrapped ether", "weth contract"],
  contracts: {
    wrapper: {
      1: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
      10: OP_WRAPPED,
      25: "0x5c7f8a570d578ed84e63fdfa7b1ee72deae1ae23",
      56: "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c",
      100: "0xe91d153e0b41518a2ce8dd3d7944fa863463a97d",
      130: OP_WRAPPED,
      137: "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
      146: "0x039e2fb66102314ce7b64ce5ce3e5183bc94ad38",
      250: "0x21be370d5312f44cb42ce377bc9b8a0cef1a4c83",
      480: OP_WRAPPED,
      1135: OP_WRAPPED,
      5000: "0x78c1b0c915c4faa5fffa6cabf0219da63d7f4cb8",
      7777777: OP_WRAPPED,
      8453: OP_WRAPPED,
      34443: OP_WRAPPED,
      43114: "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7",
      57073: OP_WRAPPED,
      59144: "0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f",
      80094: "0x6969696969696969696969696969696969696969",
      81457: "0x4300000000000000000000000000000000000004",
      534352: "0x5300000000000000000000000000000000000004",
      17000: "0x94373a4919b3240d86ea41593d5eba789fef3848",
      84532: OP_WRAPPED,
      11155111: ["0xfff9976782d46cc05630d1f6ebab18b2324d6b14", "0x7b79995e5f793a07bc00c21412e50ecae098e7f9"],
      11155420: OP_WRAPPED,
    },
    rollup_wrapper: {
      324: "0x5aea5775959fbc2557cc8789bc1bf90a239d9a91",
      42161: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
      421614: "0x980b62da83eff3d4576c647993b0c1d7faf17c73",
    },
  },
  functions: [
    fn("function deposit() payable", on, {}, (_args, call) => wrap(call)),
    fn("function withdraw(uint256 amount)", on, { amount: feeds.amount }, ([amount], call) =>
      unwrap(call, amount),
    ),
    fn("function depositTo(address to) payable", ["rollup_wrapper"], { to: feeds.receiver }, ([to], call) =>
      wrap(call, to),
    ),
    fn(
      "function withdrawTo(address to, uint256 amount)",
      ["rollup_wrapper"],
      { to: feeds.receiver, amount: feeds.amount },
      ([to, amount], call) => unwrap(call, amount, to),
    ),
  ],
  receive: { on, read: (call) => wrap(call) },
});
