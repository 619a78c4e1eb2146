/** The canonical bridges of OP Stack chains (Optimism, Base and others), in both directions. */
import { exactly, native, token, unsaid, nativeFault, type Party } from "../effects.ts";
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { compared, feeds, feedsWhen, inert } from "../uses.ts";
import { bridgeVerbs, cross } from "./shared/bridging.ts";

type Deployment = {
  readonly from: number;
  readonly to: number;
  readonly bridge?: Address;
  readonly portal?: Address;
};

const deployments: readonly Deployment[] = [
  {
    from: 1,
    to: 10,
    bridge: "0x99c9fc46f92e8a1c0dec1b1747d010903e884be1",
    portal: "0xbeb5fc579115071764c7423a4f12edde41f106ed",
  },
  {
    from: 1,
    to: 8453,
    bridge: "0x3154cf16ccdb4c6d922629664174b904d80f2c35",
    portal: "0x49048044d57e1c92a77f79988d21fa8faf74e97e",
  },
  {
    from: 1,
    to: 130,
    bridge: "0x81014f44b0a345033bb2b3b21c7a1a308b35feea",
    portal: "0x0bd48f6b86a26d3a217d0fa6ffe2b491b956a7a2",
  },
  {
    from: 1,
    to: 57073,
    bridge: "0x88ff1e5b602916615391f55854588efcbb7663f0",
    portal: "0x5d66c1782664115999c47c9fa5cd031f495d3e4f",
  },
  {
    from: 1,
    to: 480,
    bridge: "0x470458c91978d2d929704489ad730dc3e3001113",
    portal: "0xd5ec14a83b7d95be1e2ac12523e2dee12cbeea6c",
  },
  {
    from: 1,
    to: 34443,
    bridge: "0x735adbbe72226bd52e818e7181953f42e3b0ff21",
    portal: "0x8b34b14c7c7123459cf3076b8cb929be097d0c07",
  },
  {
    from: 1,
    to: 7777777,
    bridge: "0x3e2ea9b92b7e48a52296fd261dc26fd995284631",
    portal: "0x1a0ad011913a150f69f6a19df447a0cfd9551054",
  },
  {
    from: 11155111,
    to: 11155420,
    bridge: "0xfbb0621e0b23b5478b630bd55a5f21f67730b0f1",
    portal: "0x16fc5058f25648194471939df75cf27a2fdc48bc",
  },
  {
    from: 11155111,
    to: 84532,
    bridge: "0xfd0bf71f60660e2f608ed56e1659c450eb113120",
    portal: "0x49f53e41452c74589e85ca1677426ba426459e85",
  },
];

/** The address that represents the native token on the second layer. */
const COIN: Address = "0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000";

/** The chain that a bridge contract leads to: down from the first layer, or up from the second. */
const farChain = (call: CallView): number => {
  const down = deployments.find(
    ({ from, bridge, portal }) => from === call.chain && (bridge === call.to || portal === call.to),
  );
  const up = deployments.find(({ to }) => to === call.chain);
  const chain = down?.to ?? up?.from;
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

type Tokens = {
  readonly local: Address;
  readonly remote?: Address;
  readonly amount: bigint;
  readonly receiver: Party;
  readonly at: string;
  readonly receiverAt?: string;
};

const tokens = (moved: Tokens, call: CallView): Draft => {
  if (moved.local !== COIN)
    return cross({
      gives: { asset: token(moved.local), amount: exactly(moved.amount), at: moved.at },
      gets: {
        asset: moved.remote === undefined ? unsaid("the same token on the other chain") : token(moved.remote),
        amount: exactly(moved.amount),
        at: moved.at,
      },
      toChain: farChain(call),
      receiver: moved.receiver,
      ...(moved.receiverAt === undefined ? {} : { receiverAt: moved.receiverAt }),
    });
  const faults =
    moved.amount === call.value ? [] : [nativeFault("the native token sent is not the amount to be bridged")];
  return { ...coin(call, moved.receiver, moved.receiverAt), terms: faults.length === 0 ? {} : { faults } };
};

/** Bytes that the bridge only repeats in its event on the other chain. */
const coinUses = { _minGasLimit: inert.gas_limit, _extraData: inert.label };
const coinToUses = { _to: feeds.receiver, ...coinUses };

const both = ["l1_bridge", "l2_bridge"];

const ether = [
  fn(
    "function depositETH(uint32 _minGasLimit, bytes _extraData) payable",
    ["l1_bridge"],
    coinUses,
    (_, call) => coin(call, call.sender),
  ),
  fn(
    "function depositETHTo(address _to, uint32 _minGasLimit, bytes _extraData) payable",
    ["l1_bridge"],
    coinToUses,
    ([to], call) => coin(call, to, "_to"),
  ),
  fn("function bridgeETH(uint32 _minGasLimit, bytes _extraData) payable", both, coinUses, (_, call) =>
    coin(call, call.sender),
  ),
  fn(
    "function bridgeETHTo(address _to, uint32 _minGasLimit, bytes _extraData) payable",
    both,
    coinToUses,
    ([to], call) => coin(call, to, "_to"),
  ),
];

const moved = { _amount: feeds.amount, ...coinUses };
const l1Uses = { _l1Token: feeds.asset, _l2Token: feeds.asset, ...moved };
const localUses = {
  _localToken: feeds.asset,
  _remoteToken: feedsWhen("asset", "a token leaves"),
  ...moved,
};
const l2Uses = { _l2Token: feeds.asset, ...moved };
const to = { _to: feeds.receiver };

const erc20 = [
  fn(
    "function depositERC20(address _l1Token, address _l2Token, uint256 _amount, uint32 _minGasLimit, bytes _extraData)",
    ["l1_bridge"],
    l1Uses,
    ([local, remote, amount], call) =>
      tokens({ local, remote, amount, receiver: call.sender, at: "_amount" }, call),
  ),
  fn(
    "function depositERC20To(address _l1Token, address _l2Token, address _to, uint256 _amount, uint32 _minGasLimit, bytes _extraData)",
    ["l1_bridge"],
    { ...l1Uses, ...to },
    ([local, remote, receiver, amount], call) =>
      tokens({ local, remote, amount, receiver, at: "_amount", receiverAt: "_to" }, call),
  ),
  fn(
    "function bridgeERC20(address _localToken, address _remoteToken, uint256 _amount, uint32 _minGasLimit, bytes _extraData)",
    both,
    localUses,
    ([local, remote, amount], call) =>
      tokens({ local, remote, amount, receiver: call.sender, at: "_amount" }, call),
  ),
  fn(
    "function bridgeERC20To(address _localToken, address _remoteToken, address _to, uint256 _amount, uint32 _minGasLimit, bytes _extraData)",
    both,
    { ...localUses, ...to },
    ([local, remote, receiver, amount], call) =>
      tokens({ local, remote, amount, receiver, at: "_amount", receiverAt: "_to" }, call),
  ),
  fn(
    "function withdraw(address _l2Token, uint256 _amount, uint32 _minGasLimit, bytes _extraData) payable",
    ["l2_bridge"],
    l2Uses,
    ([local, amount], call) => tokens({ local, amount, receiver: call.sender, at: "_amount" }, call),
  ),
  fn(
    "function withdrawTo(address _l2Token, address _to, uint256 _amount, uint32 _minGasLimit, bytes _extraData) payable",
    ["l2_bridge"],
    { ...l2Uses, ...to },
    ([local, receiver, amount], call) =>
      tokens({ local, amount, receiver, at: "_amount", receiverAt: "_to" }, call),
  ),
];

/** A call on the other chain in the sender's name. It can be read only if it carries nothing but native value. */
const onlyCoin = (data: Hex, draft: Draft): Draft => {
  if (data !== "0x") throw new Error("it carries a call that is not read here");
  return draft;
};

const messages = [
  fn(
    "function depositTransaction(address _to, uint256 _value, uint64 _gasLimit, bool _isCreation, bytes _data) payable",
    ["portal"],
    {
      _to: feeds.receiver,
      _value: compared("equal", "the native token sent"),
      _gasLimit: inert.gas_limit,
      _isCreation: compared("equal", "false"),
      _data: compared("equal", "nothing"),
    },
    ([to, value, , isCreation, data], call) => {
      if (isCreation) throw new Error("it deploys a contract on the other chain");
      const faults =
        value === call.value
          ? []
          : [nativeFault("the native token sent is not the amount that is passed on")];
      return onlyCoin(data, { ...coin(call, to, "_to"), terms: faults.length === 0 ? {} : { faults } });
    },
  ),
  fn(
    "function initiateWithdrawal(address _target, uint256 _gasLimit, bytes _data) payable",
    ["passer"],
    { _target: feeds.receiver, _gasLimit: inert.gas_limit, _data: compared("equal", "nothing") },
    ([to, , data], call) => onlyCoin(data, coin(call, to, "_target")),
  ),
  fn(
    "function finalizeWithdrawalTransaction((uint256 nonce, address sender, address target, uint256 value, uint256 gasLimit, bytes data) _tx)",
    ["portal"],
    {
      _tx: {
        nonce: inert.replay,
        sender: inert.signature,
        target: feeds.receiver,
        value: feeds.amount,
        gasLimit: inert.gas_limit,
        data: compared("equal", "nothing"),
      },
    },
    ([{ target, value, data }]) =>
      onlyCoin(data, {
        act: "claim",
        gets: [{ asset: native, amount: exactly(value), at: "_tx.value" }],
        receiver: target,
        places: { receiver: "_tx.target" },
      }),
  ),
];

const named = (pick: "bridge" | "portal"): Record<number, Address[]> => {
  const found: Record<number, Address[]> = {};
  for (const each of deployments) {
    const address = each[pick];
    if (address !== undefined) (found[each.from] ??= []).push(address);
  }
  return found;
};

const secondLayers = (address: Address): Readonly<Record<number, Address>> =>
  Object.fromEntries(deployments.map(({ to }) => [to, address]));

export default defineProtocol({
  title: "OP Stack bridge",
  names: [
    "optimism bridge",
    "op bridge",
    "base bridge",
    "standard bridge",
    "superbridge",
    "native bridge",
    "canonical bridge",
    "official bridge",
  ],
  verbs: bridgeVerbs,
  contracts: {
    l1_bridge: named("bridge"),
    portal: named("portal"),
    l2_bridge: secondLayers("0x4200000000000000000000000000000000000010"),
    passer: secondLayers("0x4200000000000000000000000000000000000016"),
  },
  functions: [...ether, ...erc20, ...messages],
  receive: { on: [...both, "portal", "passer"], read: (call) => coin(call, call.sender) },
});
