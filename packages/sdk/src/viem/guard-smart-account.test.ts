import {
  createBundlerClient,
  entryPoint06Abi,
  entryPoint06Address,
  entryPoint07Abi,
  entryPoint07Address,
  entryPoint08Abi,
  entryPoint08Address,
  getUserOperationHash,
  toSmartAccount,
  type SmartAccount,
} from "viem/account-abstraction";
import {
  createClient,
  createWalletClient,
  custom,
  decodeFunctionData,
  parseAbi,
  toFunctionSelector,
  zeroAddress,
} from "viem";
import { sepolia } from "viem/chains";
import { describe, expect, test, vi } from "vitest";
import { account as owner, requestHash, scripted, type Script } from "../../test/viem/scripted.ts";
import { ConflictError } from "../errors.ts";
import type { Hex } from "../types.ts";
import { findNotApproved, guard, guardSmartAccount, type SmartAccountOptions } from "./index.ts";

const address = `0x${"ac".repeat(20)}` as const;
const other = `0x${"cd".repeat(20)}` as const;
const words = `Send 0.01 ETH to ${other}`;
const chainId = sepolia.id;
const next = 7n;
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`;

const entryPoints = {
  "0.6": { abi: entryPoint06Abi, address: entryPoint06Address, version: "0.6" },
  "0.7": { abi: entryPoint07Abi, address: entryPoint07Address, version: "0.7" },
  "0.8": { abi: entryPoint08Abi, address: entryPoint08Address, version: "0.8" },
  "0.8 elsewhere": { abi: entryPoint08Abi, address: other, version: "0.8" },
} as const;

const selectors = {
  getNonce: toFunctionSelector("getNonce(address,uint192)"),
  validate: toFunctionSelector(
    "validateUserOp((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes),bytes32,uint256)",
  ),
};

type Call = { readonly from?: string; readonly to: string; readonly data: Hex };
type Chain = {
  readonly code?: Hex;
  /** The account's answer about a signature. */
  readonly validate?: (call: Call) => Hex | Error;
};

function nodeOf({ code = "0xef", validate = () => word(0n) }: Chain) {
  const asked: string[] = [];
  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    asked.push(method);
    if (method === "eth_chainId") return `0x${chainId.toString(16)}`;
    if (method === "eth_getCode") return code;
    const [call] = params as [Call];
    if (method === "eth_call" && call.data.startsWith(selectors.getNonce)) return word(next);
    if (method === "eth_call" && call.data.startsWith(selectors.validate)) {
      const answer = validate(call);
      if (answer instanceof Error) throw answer;
      return answer;
    }
    throw Object.assign(new Error(`no ${method}`), { code: -32601 });
  };
  return { asked, request };
}

type Making = {
  readonly script?: Script;
  readonly options?: Partial<SmartAccountOptions>;
  readonly chain?: Chain;
  readonly at?: keyof typeof entryPoints;
  readonly factory?: Hex;
};

/** An account whose owner signs the hash, as accounts of version 0.8 do. `signed` are the operations that reach the key. */
async function make({ script = {}, options = {}, chain = {}, at = "0.8", factory }: Making = {}) {
  const said = scripted(script);
  const node = nodeOf(chain);
  const signed: Parameters<SmartAccount["signUserOperation"]>[0][] = [];
  const entryPoint = entryPoints[at];
  const bare = await toSmartAccount({
    client: createClient({ account: owner, chain: sepolia, transport: custom(node) }),
    entryPoint,
    extend: { owner },
    getAddress: async () => address,
    encodeCalls: async ([call]) => call?.data ?? "0x",
    getFactoryArgs: async () => ({ factory, factoryData: factory === undefined ? undefined : "0x01" }),
    getNonce: async () => next,
    getStubSignature: async () => "0xff",
    sign: ({ hash }) => owner.sign({ hash }),
    signMessage: ({ message }) => owner.signMessage({ message }),
    signTypedData: (data) => owner.signTypedData(data as never),
    signUserOperation: async (operation) => {
      signed.push(operation);
      const hash = getUserOperationHash({
        ...{ chainId: operation.chainId ?? 0, entryPointAddress: entryPoint.address },
        ...{ entryPointVersion: entryPoint.version, userOperation: operation as never },
      });
      return owner.sign({ hash });
    },
  });
  const account = guardSmartAccount(bare, {
    ...{ countersign: said.countersign, words, onReview: () => undefined, ...options },
  });
  return { ...said, account, bare, signed, asked: node.asked };
}

const operation = (over: object = {}) =>
  ({
    ...{ nonce: next, callData: "0xc0ffee", callGasLimit: 90_000n, verificationGasLimit: 120_000n },
    ...{ preVerificationGas: 50_000n, maxFeePerGas: 2n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n },
    ...{ signature: "0x", ...over },
  }) as Parameters<SmartAccount["signUserOperation"]>[0];

async function sign(making: Making = {}, over: object = {}) {
  const made = await make(making);
  const result = await made.account.signUserOperation(operation(over)).then(
    (signature) => ({ signature, error: undefined }),
    (error: unknown) => ({ signature: undefined, error }),
  );
  return { ...made, ...result, refusal: findNotApproved(result.error)?.message };
}

const hashOf = (version: "0.7" | "0.8", over: object = {}) =>
  getUserOperationHash({
    ...{ chainId, entryPointAddress: entryPoints[version].address, entryPointVersion: version },
    userOperation: { ...operation(over), sender: address },
  });

const paymaster = {
  ...{ paymaster: other, paymasterData: "0x12" },
  ...{ paymasterVerificationGasLimit: 30_000n, paymasterPostOpGasLimit: 10_000n },
};

describe("a user operation", () => {
  test.each([
    ["0.7", {}],
    ["0.8", {}],
    ["0.7", { factory: other, factoryData: "0x01", ...paymaster }],
    ["0.8", { factory: other, factoryData: "0x01", ...paymaster }],
  ] as const)("of EntryPoint %s is proposed whole, and released by exactly its hash", async (at, over) => {
    const { signature, proposals, releases } = await sign({ at }, over);
    expect(proposals).toMatchObject([
      {
        userOperation: {
          ...{ chainId, entryPoint: entryPoints[at].address.toLowerCase(), entryPointVersion: at },
          ...{ sender: address, nonce: "7", callData: "0xc0ffee", maxFeePerGas: "2000000000" },
          factory: "factory" in over ? other : null,
          paymaster: "paymaster" in over ? other : null,
        },
        ...{ chainId, escrowAddress: address, userPrompt: words },
      },
    ]);
    expect(releases).toEqual([[requestHash, hashOf(at, over)]]);
    expect(signature).toBe(await owner.sign({ hash: hashOf(at, over) }));
  });

  test("is proposed for the owner, if the options name the owner", async () => {
    const { proposals, signature } = await sign({ options: { escrowAddress: owner.address } });
    expect(proposals[0]?.escrowAddress).toBe(owner.address);
    expect(signature).toBeDefined();
  });

  test("reaches the key as it was approved, whatever the caller changes meanwhile", async () => {
    const given = operation({ sender: address });
    const made = await make({
      script: {
        decide: () => {
          (given as { callData: Hex }).callData = "0xbad0";
          return {};
        },
      },
    });
    const signature = await made.account.signUserOperation(given);
    expect(made.signed).toMatchObject([{ callData: "0xc0ffee", sender: address, chainId }]);
    expect(signature).toBe(await owner.sign({ hash: hashOf("0.8") }));
  });

  test("goes through viem's bundler client", async () => {
    const { account, proposals } = await make();
    const sent: unknown[] = [];
    const bundler = createBundlerClient({
      chain: sepolia,
      transport: custom({
        request: async ({ method, params }: { method: string; params?: unknown }) => {
          if (method !== "eth_sendUserOperation") throw new Error(`no ${method}`);
          sent.push(params);
          return requestHash;
        },
      }),
    });
    const { callData: _, signature: __, ...fees } = operation();
    const calls = [{ to: other, data: "0xc0ffee" }] as const;
    expect(await bundler.sendUserOperation({ account, calls, ...fees } as never)).toBe(requestHash);
    expect(proposals).toMatchObject([{ userOperation: { callData: "0xc0ffee" } }]);
    const signature = await owner.sign({ hash: hashOf("0.8") });
    expect(sent).toMatchObject([[{ signature, sender: address }, entryPoint08Address]]);
  });

  test.each(["REJECTED", "FAILED", "PENDING", "EXECUTED"] as const)(
    "is not signed if the status is %s",
    async (status) => {
      const { refusal, releases, signed } = await sign({ script: { decide: () => ({ status }) } });
      expect(refusal).toMatch(/^Not signed: /);
      expect([releases, signed]).toEqual([[], []]);
    },
  );

  test("is not signed if another one was approved", async () => {
    const decide = () => ({ signingHash: hashOf("0.8", { callData: "0x" }) });
    const { refusal, signed } = await sign({ script: { decide } });
    expect(refusal).toBe("Not signed: the approved transaction differs from the requested one");
    expect(signed).toEqual([]);
  });

  test("is not handed over if it was released before", async () => {
    const conflict = new ConflictError({ status: 409, message: "released before" } as never);
    const { signature, refusal } = await sign({ script: { release: () => Promise.reject(conflict) } });
    expect([signature, refusal]).toEqual([undefined, "Not signed: released before"]);
  });

  type Unproposed = {
    readonly name: string;
    readonly over?: object;
    readonly why: RegExp;
    readonly making?: Making;
  };
  const costly = { ...paymaster, paymasterPostOpGasLimit: 10n ** 9n };
  const unknown = /entryPoint must be that of version 0.7/;
  const unproposed: readonly Unproposed[] = [
    {
      name: "with a used nonce",
      over: { nonce: next - 1n },
      why: /nonce 6 is not .* next one for its key, 7/,
    },
    { name: "with a later nonce", over: { nonce: next + 1n }, why: /nonce 8 is not/ },
    { name: "of another sender", over: { sender: other }, why: /its sender is another account/ },
    { name: "for another chain", over: { chainId: 1 }, why: /the wallet is on chain 11155111/ },
    {
      ...{ name: "that costs too much", over: { maxFeePerGas: 10n ** 12n } },
      why: /fee of up to 260000000000000000 wei exceeds/,
    },
    {
      ...{ name: "whose paymaster's gas costs too much", over: costly },
      why: /exceeds the limit of 100000000000000000 wei/,
    },
    {
      ...{ name: "with an authorization", over: { authorization: { address: other } } },
      why: /Sign that with guard first/,
    },
    {
      ...{ name: "that stands for a delegation", over: { factory: "0x7702", factoryData: "0x" } },
      why: /factory must not stand for/,
    },
    { name: "with malformed calldata", over: { callData: "0x1" }, why: /callData must be bytes/ },
    { name: "at EntryPoint 0.6", why: unknown, making: { at: "0.6" } },
    { name: "at another entry point", why: unknown, making: { at: "0.8 elsewhere" } },
    {
      name: "of an account without code",
      why: /has no code on this chain/,
      making: { chain: { code: "0x" } },
    },
  ];

  test.each(unproposed)("is not proposed $name", async ({ over, why, making }) => {
    const { refusal, error, proposals, signed } = await sign(making, over);
    expect(refusal, String(error)).toMatch(why);
    expect([proposals, signed]).toEqual([[], []]);
  });

  test("may cost more if the options allow it", async () => {
    const { signature } = await sign({ options: { maxFee: 10n ** 18n } }, { maxFeePerGas: 10n ** 12n });
    expect(signature).toBeDefined();
  });

  test("is not handed over if the account does not accept the signature", async () => {
    const answers = [
      word(1n),
      word((1n << 200n) + 1n),
      word(BigInt(other)),
      "0x",
      new Error("reverted"),
    ] as const;
    for (const answer of answers) {
      const { error, releases } = await sign({ chain: { validate: () => answer } });
      expect(String(error)).toMatch("does not accept its own signature");
      expect(releases).toEqual([]);
    }
  });

  test("is verified by the account as its entry point does, with a window of time or without", async () => {
    const validate = vi.fn<(call: Call) => Hex>(() => word(1n << 200n));
    const { signature } = await sign({ chain: { validate } });
    const [{ from, to, data }] = validate.mock.calls[0] ?? expect.unreachable("not asked");
    expect([from, to]).toEqual([entryPoint08Address.toLowerCase(), address]);
    const abi = parseAbi([
      "struct Op { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 gas; uint256 pre; bytes32 fees; bytes paymasterAndData; bytes signature; }",
      "function validateUserOp(Op op, bytes32 hash, uint256 missing)",
    ]);
    const [op, hash] = decodeFunctionData({ abi, data }).args;
    expect([op.signature, op.nonce, op.callData, hash]).toEqual([signature, 7n, "0xc0ffee", hashOf("0.8")]);
  });

  test("takes the request of a function", async () => {
    const ask = vi.fn(() => "Do it");
    const { proposals } = await sign({ options: { words: ask } });
    expect(proposals[0]?.userPrompt).toBe("Do it");
    expect(ask).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ sender: address, nonce: "7" }));
  });
});

/** The members that sign, with arguments. */
const attempts: Readonly<Record<string, object>> = {
  sign: { hash: word(1n) },
  signMessage: { message: "hello" },
  signTypedData: { domain: {}, types: { Note: [] }, primaryType: "Note", message: {} },
  signUserOperation: operation(),
};

/** These read, encode or estimate. */
const others = [
  ...["decodeCalls", "encodeCalls", "getAddress", "getFactoryArgs", "getNonce", "getStubSignature"],
  "isDeployed",
];

describe("a guarded smart account", () => {
  test.each(Object.entries(attempts))("%s signs nothing that is not approved", async (name, given) => {
    const { account, signed } = await make({ script: { decide: () => ({ status: "REJECTED" }) } });
    const members = account as unknown as Readonly<Record<string, (given: object) => Promise<unknown>>>;
    const error: unknown = await members[name]?.(given).catch((thrown: unknown) => thrown);
    expect(findNotApproved(error)?.message, String(error)).toMatch(/is not allowed|Not signed: REJECTED/);
    expect(signed).toEqual([]);
  });

  test("has no members but these, and no key", async () => {
    const { account, bare } = await make();
    const functions = Object.entries(account).flatMap(([name, member]) =>
      typeof member === "function" ? [name] : [],
    );
    // decodeCalls is optional.
    expect([...functions, "decodeCalls"].sort()).toEqual([...Object.keys(attempts), ...others].sort());
    expect(Object.keys(bare)).toEqual(expect.arrayContaining(["owner", "client"]));
    expect(Object.keys(account)).not.toContain("owner");
    expect(account.client.account).toBeUndefined();
  });

  test("has a client that reads only", async () => {
    const { account, asked } = await make();
    expect(await account.client.request({ method: "eth_chainId" })).toBe("0xaa36a7");
    for (const method of ["eth_sign", "eth_sendTransaction", "personal_sign", "eth_sendUserOperation"]) {
      const error: unknown = await account.client
        .request({ method, params: [] } as never)
        .catch((thrown: unknown) => thrown);
      expect(findNotApproved(error)?.message, String(error)).toMatch("is not allowed");
    }
    expect(asked).toEqual(["eth_chainId"]);
  });

  test("reads through the account", async () => {
    const { account } = await make({ factory: other });
    expect(await account.getAddress()).toBe(address);
    expect(await account.getNonce()).toBe(next);
    expect(await account.getStubSignature()).toBe("0xff");
    expect(await account.isDeployed()).toBe(true);
    expect(await account.getFactoryArgs()).toEqual({ factory: undefined, factoryData: undefined });
    expect(await account.encodeCalls([{ to: zeroAddress, data: "0x01" }])).toBe("0x01");
  });
});

test("a smart account in a wallet client is refused, with what to do instead", async () => {
  const { bare, countersign } = await make();
  const wallet = createWalletClient({ account: bare, chain: sepolia, transport: custom(nodeOf({})) });
  expect(() => guard(wallet as never, { countersign, words })).toThrow("guardSmartAccount");
});
