/** A Safe acts for its owners. Its address is the owner's own account: no other party can make it act. */
import { atMost, native, token, type Party } from "../effects.ts";
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, fn, type Draft, type InnerCall, type Read } from "../protocol.ts";
import { feeds, feedsWhen, inert, openedAsCalls } from "../uses.ts";
import { administer, detailed, empower } from "./shared/admin-drafts.ts";
import { safeControl } from "./shared/safe-control.ts";
import { addressAt, hexAt, integerAt, verifyingContract } from "./shared/signed-fields.ts";

type SafeTx = {
  readonly to: Address;
  readonly value: bigint;
  readonly data: Hex;
  readonly operation: number;
  readonly safeTxGas: bigint;
  readonly baseGas: bigint;
  readonly gasPrice: bigint;
  readonly gasToken: Address;
  readonly refundReceiver: Address;
};

const ZERO = /^0x0{40}$/;
const BLOCK_GAS = 60_000_000n;

/** The relayer may be refunded for gas out of the Safe, in any token. Such a refund is a payment like any other. */
const refund = (tx: SafeTx, executor: Party): readonly Draft[] => {
  if (tx.gasPrice === 0n) return [];
  const gas = (tx.safeTxGas === 0n ? BLOCK_GAS : tx.safeTxGas) + tx.baseGas;
  return [
    {
      act: "transfer",
      payer: "self",
      gives: [
        {
          asset: ZERO.test(tx.gasToken) ? native : token(tx.gasToken),
          amount: atMost(gas * tx.gasPrice),
          at: "gasPrice",
        },
      ],
      receiver: ZERO.test(tx.refundReceiver) ? executor : tx.refundReceiver,
      places: { receiver: "refundReceiver", amount: "gasPrice" },
    },
  ];
};

const inner = (account: Address, tx: Pick<SafeTx, "to" | "value" | "data" | "operation">): InnerCall => {
  if (tx.operation > 1) throw new Error(`${tx.operation} is not an operation of a Safe`);
  return {
    to: tx.to,
    value: tx.value,
    data: tx.data,
    account,
    sender: "self",
    ...(tx.operation === 1 ? { delegatecall: true } : {}),
    at: "data",
  };
};

const run = (account: Address, tx: SafeTx, executor: Party): Read => ({
  effects: refund(tx, executor),
  calls: [inner(account, tx)],
});

/** The refund of the relayer: nothing, unless there is a gas price. */
const isPriced = "the gas price is not zero";
const refundUses = {
  safeTxGas: feedsWhen("fee", isPriced),
  baseGas: feedsWhen("fee", isPriced),
  gasPrice: feeds.fee,
  gasToken: feedsWhen("fee", isPriced),
  refundReceiver: feedsWhen("fee", isPriced),
};
const callUses = {
  to: openedAsCalls,
  value: feedsWhen("amount", "it is a call to another account"),
  data: openedAsCalls,
  operation: feeds.act,
};

const modules = ["execTransactionFromModule", "execTransactionFromModuleReturnData"] as const;
const roles = ["execTransactionWithRole", "execTransactionWithRoleReturnData"] as const;
const rolesOf = ["uint16", "bytes32"] as const;

const execution = [
  fn(
    "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable",
    "anywhere",
    { ...callUses, ...refundUses, signatures: inert.signature },
    ([to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver], call) =>
      run(
        call.to,
        { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver },
        call.sender,
      ),
  ),
  ...modules.map((name) =>
    fn(
      `function ${name}(address to, uint256 value, bytes data, uint8 operation)`,
      "anywhere",
      callUses,
      ([to, value, data, operation], call) => ({ calls: [inner(call.to, { to, value, data, operation })] }),
    ),
  ),
  ...roles.flatMap((name) =>
    rolesOf.map((role) =>
      fn(
        `function ${name}(address to, uint256 value, bytes data, uint8 operation, ${role} role, bool shouldRevert)`,
        "anywhere",
        { ...callUses, role: inert.hint, shouldRevert: feeds.terms },
        ([to, value, data, operation, , shouldRevert], call) => ({
          calls: [
            {
              ...inner(call.to, { to, value, data, operation }),
              ...(shouldRevert ? {} : { mayFail: true }),
            },
          ],
        }),
      ),
    ),
  ),
];

const setup = fn(
  "function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)",
  "anywhere",
  {
    owners: feeds.admin,
    threshold: feeds.admin,
    to: openedAsCalls,
    data: feedsWhen("act", "there is an address to call"),
    fallbackHandler: feeds.admin,
    paymentToken: feedsWhen("fee", "a payment is made"),
    payment: feeds.fee,
    paymentReceiver: feedsWhen("fee", "a payment is made"),
  },
  ([owners, threshold, to, data, handler, paymentToken, payment, receiver], call) => ({
    effects: [
      ...owners.map((owner, i) => empower(call, "add_owner", owner, `owners[${i}]`)),
      detailed(administer(call, "change_threshold", null, "threshold"), { threshold }),
      ...(ZERO.test(handler) ? [] : [empower(call, "set_fallback_handler", handler, "fallbackHandler")]),
      ...(payment === 0n
        ? []
        : refund(
            { ...noCall, gasToken: paymentToken, gasPrice: 1n, safeTxGas: payment, refundReceiver: receiver },
            "venue",
          )),
    ],
    calls: ZERO.test(to) ? [] : [{ to, value: 0n, data, delegatecall: true, account: call.to, at: "data" }],
  }),
);

const noCall = { to: "0x", value: 0n, data: "0x", operation: 0, baseGas: 0n } as const;

const create = (initializer: Hex, singleton: Address): Read => ({
  effects: [
    {
      act: "deploy",
      admin: { kind: "deploy", party: singleton },
      choices: [{ what: "implementation", value: singleton, at: "singleton", roles: ["singleton"] }],
      places: { party: "singleton" },
    },
  ],
  calls: initializer === "0x" ? [] : [{ to: singleton, value: 0n, data: initializer, at: "initializer" }],
});

export default defineProtocol({
  title: "Safe",
  names: [],
  contracts: {
    sign_message_lib: {
      0: [
        "0xa65387f16b013cf2af4605ad8aa5ec25a2cba3a2",
        "0x98ffbbf51bb33a056b08ddf711f289936aaff717",
        "0xd53cd0ab83d845ac265be939c57f53ad838012c9",
        "0x4ffef8222648872b3de295ba1e49110e61f5b5aa",
      ],
      324: ["0x357147caf9c0cca67dfa0cf5369318d8193c8407", "0xaca1ec0a1a575cdccf1dc3d5d296202eb6061888"],
    },
    singleton: {
      0: [
        "0x34cfac646f301356faa8b21e94227e3583fe3f5f",
        "0xd9db270c1b5e3bd161e8c8503c55ceabee709552",
        "0x69f4d1788e39c87893c980c06edf4b7f686e2938",
        "0x3e5c63644e683549055b9be8653de26e0b4cd36e",
        "0xfb1bffc9d739b8d520daf37df666da4c687191ea",
        "0x41675c099f32341bf84bfc5382af534df5c7461a",
        "0x29fcb43b46531bca003ddc8fcb67ffe91900c762",
        "0xff51a5898e281db6dfc7855790607438df2ca44b",
        "0xedd160febbd92e350d4d398fb636302fccd67c7e",
      ],
      324: [
        "0xb00ce5cccdef57e539ddced01df43a13855d9910",
        "0x1727c2c531cf966f902e5927b98490fdfb3b2b70",
        "0xc35f063962328ac65ced5d4c3fc5def8dec68dfa",
        "0x610fca2e0279fa1f8c00c8c2f71df522ad469380",
      ],
    },
    factory: {
      0: [
        "0x76e2cfc1f5fa8f6a5b3fc4c8f4788f0116861f9b",
        "0xa6b71e26c5e0845f74c812102ca7114b6a896ab2",
        "0xc22834581ebc8527d974f8a1c97e1bea4ef910bc",
        "0x4e1dcf7ad4e460cfd30791ccc4f9c8a4f820ec67",
        "0x14f2982d601c9458f93bd70b218933a6f8165e7b",
      ],
      324: ["0xdaec33641865e4651fb43181c6db6f7232ee91c2", "0xc329d02fd8cb2fc13aa919005af46320794a8629"],
    },
  },
  libraries: ["sign_message_lib"],
  functions: [
    ...execution,
    ...safeControl,
    setup,
    fn(
      "function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce)",
      ["factory"],
      { singleton: feeds.choice, initializer: openedAsCalls, saltNonce: inert.replay },
      ([singleton, initializer]) => create(initializer, singleton),
    ),
    fn(
      "function createProxy(address singleton, bytes initializer)",
      ["factory"],
      { singleton: feeds.choice, initializer: openedAsCalls },
      ([singleton, initializer]) => create(initializer, singleton),
    ),
  ],
  typedData: [
    {
      primaryType: "SafeTx",
      on: "anywhere",
      members: ["to", "value", "data", "operation", "gasPrice", "gasToken", "refundReceiver"],
      uses: { ...callUses, ...refundUses, nonce: inert.replay },
      read: (data) => {
        const m = data.message;
        const tx: SafeTx = {
          to: addressAt(m, "to"),
          value: integerAt(m, "value"),
          data: hexAt(m, "data"),
          operation: Number(integerAt(m, "operation")),
          safeTxGas: "safeTxGas" in m ? integerAt(m, "safeTxGas") : 0n,
          baseGas: "baseGas" in m ? integerAt(m, "baseGas") : 0n,
          gasPrice: integerAt(m, "gasPrice"),
          gasToken: addressAt(m, "gasToken"),
          refundReceiver: addressAt(m, "refundReceiver"),
        };
        // Anyone can submit a signature, so an unnamed receiver of the refund is unknown.
        return run(verifyingContract(data), tx, "venue");
      },
    },
  ],
});
