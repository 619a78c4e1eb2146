// An agent that signs for Permit2 and UniswapX with a guarded wallet, on the real system and the real Permit2. The contract uses what was
// asked for; any other signature, and any message of a Safe, never leaves the wallet.
import {
  createWalletClient,
  hashMessage,
  hashStruct,
  http,
  maxUint160,
  parseAbi,
  parseEther,
  type Hex,
} from "viem";
import { mainnet } from "viem/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setStage, type Stage } from "../../../../tools/stage/index.ts";
import { addresses, deployer } from "../../../../tools/world/index.ts";
import { makeRealAgent, type RealAgent } from "../../test/real-agent.ts";
import { startSafeWorld, type SafeWorld } from "../../test/safe/world.ts";
import { findNotApproved, guard } from "./index.ts";

const { permit2, usdc, weth, dai } = addresses;
const spender = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const mallory = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
/** UniswapX: the contract that may take the tokens of an order. */
const reactor = "0x6000da47483062A0D734Ba3dc7576Ce6A0B645C4";

const abi = parseAbi([
  "function mint(address to, uint256 value)",
  "function approve(address spender, uint256 value) returns (bool)",
  "function balanceOf(address owner) view returns (uint256)",
  "struct Details { address token; uint160 amount; uint48 expiration; uint48 nonce; }",
  "struct Single { Details details; address spender; uint256 sigDeadline; }",
  "function permit(address owner, Single permitted, bytes signature)",
  "function transferFrom(address from, address to, uint160 amount, address token)",
  "struct Permissions { address token; uint256 amount; }",
  "struct Transfer { Permissions permitted; uint256 nonce; uint256 deadline; }",
  "struct Payout { address to; uint256 requestedAmount; }",
  "function permitWitnessTransferFrom(Transfer permitted, Payout payout, address owner, bytes32 witness, string witnessType, bytes signature)",
]);

let world: SafeWorld;
let stage: Stage;
let real: RealAgent;
let address: Hex;
let safe: Hex;

beforeAll(async () => {
  [world, stage] = await Promise.all([startSafeWorld(), setStage()]);
  stage.chain.mineEvery(200);
  real = await makeRealAgent(stage);
  ({ address } = real.account);
  await world.fund(address);
  for (const one of [deployer, spender, reactor] as const) {
    await world.fund(one);
    await world.node.impersonateAccount({ address: one });
  }
  await write(deployer, usdc, "mint", [address, 1_000_000_000n]);
  await write(real.account, usdc, "approve", [permit2, maxUint160]);
  safe = await world.deploy([address], 1);
});
afterAll(async () => {
  await Promise.all([world.stop(), stage.end()]);
});

async function write(
  account: Hex | RealAgent["account"],
  to: Hex,
  functionName: "mint" | "approve" | "permit" | "transferFrom" | "permitWitnessTransferFrom",
  args: readonly unknown[],
): Promise<string> {
  const call = {
    account,
    chain: mainnet,
    address: to,
    abi,
    functionName,
    args: args as never,
    gas: 500_000n,
  };
  const hash = await world.node.writeContract(call);
  return (await world.node.waitForTransactionReceipt({ hash })).status;
}
const balanceOf = (of: Hex): Promise<bigint> =>
  world.node.readContract({ address: usdc, abi, functionName: "balanceOf", args: [of] });

const sign = (words: string, typedData: object): Promise<Hex> => {
  const bare = createWalletClient({ account: real.account, chain: mainnet, transport: http(world.url) });
  return guard(bare, real.optionsFor(words)).signTypedData(typedData as never);
};

async function expectRefused(words: string, typedData: object): Promise<void> {
  const error: unknown = await sign(words, typedData).catch((thrown: unknown) => thrown);
  expect(findNotApproved(error)?.message, String(error)).toMatch(/^Not signed: /);
}

const soon = (): number => Math.floor(Date.now() / 1000) + 3600;
const domain = { name: "Permit2", chainId: 1, verifyingContract: permit2 } as const;
const member = (text: string) =>
  text.split(", ").map((one) => ({ type: one.split(" ")[0] ?? "", name: one.split(" ")[1] ?? "" }));

describe("an allowance of Permit2", () => {
  const words = `Allow ${spender} to spend up to 5 USDC`;
  const types = {
    PermitSingle: member("PermitDetails details, address spender, uint256 sigDeadline"),
    PermitDetails: member("address token, uint160 amount, uint48 expiration, uint48 nonce"),
  };
  const permit = (over: { details?: object; spender?: Hex; chainId?: number } = {}) => {
    const details = { token: usdc, amount: 5_000_000n, expiration: soon(), nonce: 0, ...over.details };
    return {
      ...{ domain: { ...domain, chainId: over.chainId ?? 1 }, types, primaryType: "PermitSingle" },
      message: { details, spender: over.spender ?? spender, sigDeadline: BigInt(soon()) },
    };
  };

  test("is signed as asked for, and the spender takes that much and no more", async () => {
    const asked = permit();
    const signature = await sign(words, asked);
    expect(await write(mallory, permit2, "permit", [address, asked.message, signature])).toBe("success");
    const before = await balanceOf(spender);
    expect(await write(spender, permit2, "transferFrom", [address, spender, 5_000_000n, usdc])).toBe(
      "success",
    );
    expect((await balanceOf(spender)) - before).toBe(5_000_000n);
    expect(await write(spender, permit2, "transferFrom", [address, spender, 1n, usdc])).toBe("reverted");
  });

  test.each([
    ["an unlimited amount", { details: { amount: maxUint160 } }],
    ["a larger amount", { details: { amount: 5_000_001n } }],
    ["another spender", { spender: mallory }],
    ["another token", { details: { token: dai } }],
    ["another chain", { chainId: 10 }],
  ] as const)("is not signed with %s", async (_, over) => {
    await expectRefused(words, permit(over));
  });
});

describe("an order of UniswapX", () => {
  const words = "Swap 100 USDC for at least 0.03 WETH on UniswapX";
  const types = {
    PermitWitnessTransferFrom: member(
      "TokenPermissions permitted, address spender, uint256 nonce, uint256 deadline, ExclusiveDutchOrder witness",
    ),
    TokenPermissions: member("address token, uint256 amount"),
    ExclusiveDutchOrder: member(
      "OrderInfo info, uint256 decayStartTime, uint256 decayEndTime, address exclusiveFiller, uint256 exclusivityOverrideBps, address inputToken, uint256 inputStartAmount, uint256 inputEndAmount, DutchOutput[] outputs",
    ),
    OrderInfo: member(
      "address reactor, address swapper, uint256 nonce, uint256 deadline, address additionalValidationContract, bytes additionalValidationData",
    ),
    DutchOutput: member("address token, uint256 startAmount, uint256 endAmount, address recipient"),
  };
  /** The definitions after the first, as Permit2 wants them: sorted by name. */
  const definitions = Object.entries(types)
    .filter(([name]) => name !== "PermitWitnessTransferFrom")
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, members]) => `${name}(${members.map((each) => `${each.type} ${each.name}`).join(",")})`)
    .join("");
  type Over = { sells?: bigint; least?: bigint; recipient?: Hex; spender?: Hex };
  const order = ({
    sells = 100_000_000n,
    least = parseEther("0.03"),
    recipient = address,
    ...over
  }: Over) => {
    const deadline = soon();
    const info = {
      ...{ reactor: over.spender ?? reactor, swapper: address, nonce: 7n, deadline },
      ...{ additionalValidationContract: `0x${"00".repeat(20)}`, additionalValidationData: "0x" },
    };
    const output = { token: weth, startAmount: least, endAmount: least, recipient };
    const witness = {
      ...{ info, decayStartTime: deadline - 3600, decayEndTime: deadline, exclusivityOverrideBps: 0n },
      ...{ exclusiveFiller: `0x${"00".repeat(20)}`, inputToken: usdc },
      ...{ inputStartAmount: sells, inputEndAmount: sells, outputs: [output] },
    };
    const permitted = { token: usdc, amount: sells };
    const message = { permitted, spender: over.spender ?? reactor, nonce: 7n, deadline, witness };
    return { domain, types, primaryType: "PermitWitnessTransferFrom", message };
  };

  test("is signed as asked for, and Permit2 accepts it from the reactor, once", async () => {
    const asked = order({});
    const { permitted, nonce, deadline, witness } = asked.message;
    const signature = await sign(words, asked);
    const witnessType = `ExclusiveDutchOrder witness)${definitions}`;
    const hash = hashStruct({ data: witness, primaryType: "ExclusiveDutchOrder", types });
    const fill = [
      ...[
        { permitted, nonce, deadline: BigInt(deadline) },
        { to: spender, requestedAmount: 100_000_000n },
      ],
      ...[address, hash, witnessType, signature],
    ];
    // Only the reactor that the order names may use the signature.
    expect(await write(mallory, permit2, "permitWitnessTransferFrom", fill)).toBe("reverted");
    const before = await balanceOf(spender);
    expect(await write(reactor, permit2, "permitWitnessTransferFrom", fill)).toBe("success");
    expect((await balanceOf(spender)) - before).toBe(100_000_000n);
    expect(await write(reactor, permit2, "permitWitnessTransferFrom", fill)).toBe("reverted");
  });

  test.each([
    ["another recipient", { recipient: mallory }],
    ["less in return", { least: 1n }],
    ["more to sell", { sells: 1_000_000_000n }],
    ["another contract that may take the tokens", { spender: mallory }],
  ] as const)("is not signed with %s", async (_, over) => {
    await expectRefused(words, order(over));
  });
});

describe("a message of a Safe", () => {
  const text = "I own this treasury";
  const types = { SafeMessage: member("bytes message") };
  const message = (content: string, verifyingContract: Hex = safe, chainId = 1) => ({
    ...{ domain: { chainId, verifyingContract }, types, primaryType: "SafeMessage" },
    message: { message: hashMessage(content) },
  });

  // The validator does not know the type, and a hash in `message` says nothing about the text.
  test.each([
    ["one that was asked for", () => message(text)],
    ["another text", () => message("I give this treasury away")],
    ["one of another Safe", () => message(text, mallory)],
    ["one on another chain", () => message(text, safe, 10)],
  ])("is not signed: %s", async (_, make) => {
    await expectRefused(`Sign the message “${text}” for Safe ${safe}`, make());
  });
});
