/** Lido: ether staked for stETH, wrapped as wstETH, and the withdrawal queue. */
import { exactly, token } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { feeds, feedsWhen, inert } from "../uses.ts";
import { sum } from "./shared/amounts.ts";
import { collect, convert, stakeCoin, stakingVerbs } from "./shared/staking.ts";

const stETH: Readonly<Record<number, Address>> = {
  1: "0xae7ab96520de3a18e5e111b5eaab095312d7fe84",
  11155111: "0x3e3fe7dbc6b4c189e7128855dd526361c49b40af",
};
const wstETH: Readonly<Record<number, Address>> = {
  1: "0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0",
  11155111: "0xb82381a3fbd3fafa77b3a7be693342618240067b",
};

const of = (table: Readonly<Record<number, Address>>, call: CallView): Address => {
  const found = table[call.chain];
  if (found === undefined) throw new Error("the token is not known on this chain");
  return found;
};

/** One stETH for one ether, less the rounding of the division by shares. */
const submitted = (call: CallView): Draft => ({
  ...stakeCoin(call, null),
  gets: [
    {
      asset: token(of(stETH, call)),
      amount: { least: call.value > 2n ? call.value - 2n : 0n, most: call.value },
      at: "value",
    },
  ],
});

type Request = { readonly amounts: readonly bigint[]; readonly owner: Address; readonly table: typeof stETH };

/** An owner of zero means the caller. */
const requested = ({ amounts, owner, table }: Request, call: CallView): Draft =>
  convert("unstake", {
    give: of(table, call),
    amount: exactly(sum(amounts)),
    at: "_amounts",
    receiver: /^0x0+$/.test(owner) ? call.sender : owner,
    receiverAt: "_owner",
  });

type Permit = { readonly value: bigint; readonly deadline: bigint };

/** A permit for more than is taken leaves the rest with the queue. */
const permitted = (permit: Permit, request: Request, call: CallView): readonly Draft[] => {
  const draft = { ...requested(request, call), deadline: permit.deadline };
  if (permit.value <= sum(request.amounts)) return [draft];
  const asset = token(of(request.table, call));
  return [
    {
      act: "approve",
      authority: { spender: call.to, asset, amount: exactly(permit.value), at: "_permit.value" },
    },
    draft,
  ];
};

const queue = ["queue"];
const request = { _amounts: feeds.amount, _owner: feedsWhen("receiver", "it is not zero") };
const permit = {
  value: feedsWhen("amount", "it exceeds the amount that is taken"),
  deadline: feeds.deadline,
  v: inert.signature,
  r: inert.signature,
  s: inert.signature,
};
/** The queue pays only for the caller's own requests. */
const _requestIds = inert.own_item;

const withdrawals = [
  fn(
    "function requestWithdrawals(uint256[] _amounts, address _owner)",
    queue,
    request,
    ([amounts, owner], call) => requested({ amounts, owner, table: stETH }, call),
  ),
  fn(
    "function requestWithdrawalsWstETH(uint256[] _amounts, address _owner)",
    queue,
    request,
    ([amounts, owner], call) => requested({ amounts, owner, table: wstETH }, call),
  ),
  fn(
    "function requestWithdrawalsWithPermit(uint256[] _amounts, address _owner, (uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) _permit)",
    queue,
    { ...request, _permit: permit },
    ([amounts, owner, signed], call) => permitted(signed, { amounts, owner, table: stETH }, call),
  ),
  fn(
    "function requestWithdrawalsWstETHWithPermit(uint256[] _amounts, address _owner, (uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) _permit)",
    queue,
    { ...request, _permit: permit },
    ([amounts, owner, signed], call) => permitted(signed, { amounts, owner, table: wstETH }, call),
  ),
  fn("function claimWithdrawal(uint256 _requestId)", queue, { _requestId: inert.own_item }, (_, call) =>
    collect(call.sender),
  ),
  fn(
    "function claimWithdrawals(uint256[] _requestIds, uint256[] _hints)",
    queue,
    { _requestIds, _hints: inert.hint },
    (_, call) => collect(call.sender),
  ),
  fn(
    "function claimWithdrawalsTo(uint256[] _requestIds, uint256[] _hints, address _recipient)",
    queue,
    { _requestIds, _hints: inert.hint, _recipient: feeds.receiver },
    ([, , recipient]) => collect(recipient, "_recipient"),
  ),
];

const wrapping = [
  fn("function wrap(uint256 _stETHAmount)", ["wsteth"], { _stETHAmount: feeds.amount }, ([amount], call) =>
    convert("wrap", {
      give: of(stETH, call),
      get: of(wstETH, call),
      amount: exactly(amount),
      at: "_stETHAmount",
      receiver: call.sender,
    }),
  ),
  fn(
    "function unwrap(uint256 _wstETHAmount)",
    ["wsteth"],
    { _wstETHAmount: feeds.amount },
    ([amount], call) =>
      convert("unwrap", {
        give: of(wstETH, call),
        get: of(stETH, call),
        amount: exactly(amount),
        at: "_wstETHAmount",
        receiver: call.sender,
      }),
  ),
];

export default defineProtocol({
  title: "Lido",
  names: ["lido", "lido finance", "lido staking", "lido dao"],
  verbs: stakingVerbs,
  contracts: {
    steth: stETH,
    wsteth: wstETH,
    queue: {
      1: "0x889edc2edab5f40e902b864ad4d7ade8e412f9b1",
      11155111: "0x1583c7b3f4c3b008720e6bce5726336b0ab25fdd",
    },
    referral_staker: {
      1: "0xa88f0329c2c4ce51ba3fc619bbf44efe7120dd0d",
      11155111: "0x9e90338495ffd691bddc680e47d94b60cf66ddad",
    },
  },
  functions: [
    fn("function submit(address _referral) payable", ["steth"], { _referral: inert.attribution }, (_, call) =>
      submitted(call),
    ),
    fn(
      "function stakeETH(address _referral) payable",
      ["referral_staker"],
      { _referral: inert.attribution },
      (_, call) => stakeCoin(call, of(wstETH, call)),
    ),
    ...wrapping,
    ...withdrawals,
  ],
  receive: {
    on: ["steth", "wsteth"],
    read: (call) => (call.role === "wsteth" ? stakeCoin(call, of(wstETH, call)) : submitted(call)),
  },
});
