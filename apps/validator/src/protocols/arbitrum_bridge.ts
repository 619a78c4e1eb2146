/** The canonical bridge of Arbitrum, in both directions. */
import { exactly, native, token, type Party } from "../effects.ts";
import { blob } from "../bytes/openings.ts";
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { compared, feeds, inert, openedBy } from "../uses.ts";
import { code } from "./shared/admin-drafts.ts";
import { bridgeVerbs, counterpart, cross, messageFee, refundTo } from "./shared/bridging.ts";

const below: Readonly<Record<number, number>> = { 1: 42161, 11155111: 421614 };
const above: Readonly<Record<number, number>> = { 42161: 1, 421614: 11155111 };

const farChain = (call: CallView): number => {
  const chain = below[call.chain] ?? above[call.chain];
  if (chain === undefined) throw new Error("the chain on the other side is not known");
  return chain;
};

const coin = (call: CallView, receiver: Party, receiverAt?: string): Draft =>
  cross({
    gives: { asset: native, amount: exactly(call.value), at: "value" },
    toChain: farChain(call),
    receiver,
    ...(receiverAt === undefined ? {} : { receiverAt }),
  });

/** Data for the gateway: the maximum cost of the message, and bytes for a call on arrival. */
const gatewayData = blob("uint256 maxSubmissionCost, bytes callHookData", {
  maxSubmissionCost: inert.bounded,
  callHookData: feeds.choice,
});

type Moved = {
  readonly asset: Address;
  readonly to: Address;
  readonly amount: bigint;
  readonly data: Hex;
  readonly refund?: Address;
};

const down = ({ asset, to, amount, data, refund }: Moved, call: CallView): Draft => {
  const [, hook] = call.open(gatewayData, data, "_data");
  const refunds = refund === undefined ? [] : [{ to: refund, at: "_refundTo" }];
  const { fees, choices } = messageFee(call, 0n, refunds);
  return cross({
    gives: { asset: token(asset), amount: exactly(amount), at: "_amount" },
    gets: {
      asset: counterpart(call, asset, call.chain, farChain(call)),
      amount: exactly(amount),
      at: "_amount",
    },
    toChain: farChain(call),
    receiver: to,
    receiverAt: "_to",
    fees,
    choices: [...choices, ...code(hook, "_data")],
  });
};

/** A withdrawal names the token by its address on the first layer. */
const up = ({ asset, to, amount, data }: Moved, call: CallView): Draft =>
  cross({
    gives: {
      asset: counterpart(call, asset, farChain(call), call.chain),
      amount: exactly(amount),
      at: "_amount",
    },
    gets: { asset: token(asset), amount: exactly(amount), at: "_amount" },
    toChain: farChain(call),
    receiver: to,
    receiverAt: "_to",
    choices: code(data, "_data"),
  });

/** Gas on the other chain is paid in advance, out of the native value. */
const gas = { gasLimit: inert.bounded, maxFeePerGas: inert.bounded };

const inbox = [
  fn("function depositEth() payable", ["inbox"], {}, (_, call) => coin(call, call.sender)),
  fn(
    "function createRetryableTicket(address to, uint256 l2CallValue, uint256 maxSubmissionCost, address excessFeeRefundAddress, address callValueRefundAddress, uint256 gasLimit, uint256 maxFeePerGas, bytes data) payable",
    ["inbox"],
    {
      to: feeds.receiver,
      l2CallValue: feeds.amount,
      maxSubmissionCost: inert.bounded,
      excessFeeRefundAddress: feeds.choice,
      callValueRefundAddress: feeds.choice,
      ...gas,
      data: compared("equal", "nothing"),
    },
    ([to, l2CallValue, , excessRefund, valueRefund, , , data], call) => {
      if (data !== "0x") throw new Error("it runs a call on the other chain that is not read here");
      const { fees, choices } = messageFee(call, l2CallValue, [
        { to: excessRefund, at: "excessFeeRefundAddress" },
      ]);
      // This account may cancel the ticket and keep the native value.
      const cancels = refundTo(valueRefund, "callValueRefundAddress", call);
      return cross({
        gives: { asset: native, amount: exactly(l2CallValue), at: "l2CallValue" },
        toChain: farChain(call),
        receiver: to,
        receiverAt: "to",
        fees,
        choices: [...choices, valueRefund === to ? { ...cancels, known: true } : cancels],
      });
    },
  ),
];

const downUses = {
  _token: feeds.asset,
  _to: feeds.receiver,
  _amount: feeds.amount,
  _maxGas: inert.bounded,
  _gasPriceBid: inert.bounded,
  _data: openedBy(gatewayData),
};

const routers = [
  fn(
    "function outboundTransfer(address _token, address _to, uint256 _amount, uint256 _maxGas, uint256 _gasPriceBid, bytes _data) payable",
    ["router"],
    downUses,
    ([asset, to, amount, , , data], call) => down({ asset, to, amount, data }, call),
  ),
  fn(
    "function outboundTransferCustomRefund(address _token, address _refundTo, address _to, uint256 _amount, uint256 _maxGas, uint256 _gasPriceBid, bytes _data) payable",
    ["router"],
    { ...downUses, _refundTo: feeds.choice },
    ([asset, refund, to, amount, , , data], call) => down({ asset, to, amount, data, refund }, call),
  ),
  fn(
    "function outboundTransfer(address _l1Token, address _to, uint256 _amount, bytes _data) payable",
    ["l2_router"],
    { _l1Token: feeds.asset, _to: feeds.receiver, _amount: feeds.amount, _data: feeds.choice },
    ([asset, to, amount, data], call) => up({ asset, to, amount, data }, call),
  ),
  fn(
    "function withdrawEth(address destination) payable",
    ["arbsys"],
    { destination: feeds.receiver },
    ([to], call) => coin(call, to, "destination"),
  ),
];

export default defineProtocol({
  title: "Arbitrum bridge",
  names: [
    "arbitrum bridge",
    "arbitrum native bridge",
    "native bridge",
    "canonical bridge",
    "official bridge",
  ],
  verbs: bridgeVerbs,
  contracts: {
    inbox: {
      1: "0x4dbd4fc535ac27206064b68ffcf827b0a60bab3f",
      11155111: "0xaae29b0366299461418f5324a79afc425be5ae21",
    },
    router: {
      1: "0x72ce9c846789fdb6fc1f34ac4ad25dd9ef7031ef",
      11155111: "0xce18836b233c83325cc8848ca4487e94c6288264",
    },
    l2_router: {
      42161: "0x5288c571fd7ad117bea99bf60fe0846c4e84f933",
      421614: "0x9fdd1c4e4aa24eec1d913fabea925594a20d43c7",
    },
    arbsys: {
      42161: "0x0000000000000000000000000000000000000064",
      421614: "0x0000000000000000000000000000000000000064",
    },
  },
  functions: [...inbox, ...routers],
});
