import { AbiCoder, concat, keccak256, toBeHex, TypedDataEncoder } from "ethers";
import fc from "fast-check";
import { getUserOperationHash } from "viem/account-abstraction";
import { decodeFunctionData, parseAbi } from "viem/utils";
import { describe, expect, test } from "vitest";
import { anyAddress, anyChainId, anyHex } from "../test/index.ts";
import {
  entryPoints,
  hashPayload,
  isFor,
  largestFee,
  parseUserOperation,
  TypedDataProblem,
  type EntryPointVersion,
  type UserOperation,
} from "./index.ts";
import { userOperationCall } from "./signed-calls/index.ts";

const sender = `0x${"Ac".repeat(20)}`;
const other = `0x${"cd".repeat(20)}`;
const operation = (change: object = {}) => ({
  ...{ chainId: "0x1", entryPoint: entryPoints["0.7"], sender, nonce: 7, callData: "0xC0FFEE" },
  ...{ callGasLimit: 90_000, verificationGasLimit: "120000", preVerificationGas: "0xc350" },
  ...{ maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: "1" },
  ...change,
});
const withFactory = { factory: other, factoryData: "0x01" };
const withPaymaster = {
  ...{
    paymaster: other,
    paymasterVerificationGasLimit: 1,
    paymasterPostOpGasLimit: 2,
    paymasterData: "0x01",
  },
};
const hash = (json: unknown) =>
  hashPayload({ shape: "userOperation", userOperation: parseUserOperation(json) });

const amount = (bits: bigint) => fc.bigInt({ min: 0n, max: 2n ** bits - 1n }).map(String);
const anyFactory = fc.option(anyAddress.filter((address) => !address.startsWith("0x7702")));
const anyPaymaster = fc.option(anyAddress.filter((address) => !/^0x0+$/.test(address)));

const anyOperation = fc
  .record({
    ...{ chainId: anyChainId, version: fc.constantFrom<EntryPointVersion>("0.7", "0.8") },
    ...{ sender: anyAddress, nonce: amount(256n), callData: anyHex(0, 70) },
    ...{ callGasLimit: amount(128n), verificationGasLimit: amount(128n), preVerificationGas: amount(256n) },
    ...{ maxFeePerGas: amount(128n), maxPriorityFeePerGas: amount(128n) },
    ...{ factory: anyFactory, factoryData: anyHex(0, 70) },
    ...{ paymaster: anyPaymaster, paymasterData: anyHex(0, 70) },
    ...{ paymasterVerificationGasLimit: amount(128n), paymasterPostOpGasLimit: amount(128n) },
  })
  .map(({ version, factory, factoryData, paymaster, ...rest }) => {
    const { paymasterData, paymasterPostOpGasLimit, paymasterVerificationGasLimit, ...members } = rest;
    const paid = { paymaster, paymasterData, paymasterPostOpGasLimit, paymasterVerificationGasLimit };
    return parseUserOperation({
      ...{ ...members, entryPoint: entryPoints[version] },
      ...(factory === null ? {} : { factory, factoryData }),
      ...(paymaster === null ? {} : paid),
    });
  });

const packedTypes = [
  ...["address sender", "uint256 nonce", "bytes initCode", "bytes callData", "bytes32 accountGasLimits"],
  ...["uint256 preVerificationGas", "bytes32 gasFees", "bytes paymasterAndData"],
].map((field) => ({ type: field.split(" ")[0] ?? "", name: field.split(" ")[1] ?? "" }));

const half = (number: string) => toBeHex(BigInt(number), 16);

function packByEthers(op: UserOperation) {
  const { sender: account, nonce, callData, preVerificationGas } = op;
  const gas = concat([half(op.paymasterVerificationGasLimit), half(op.paymasterPostOpGasLimit)]);
  return {
    ...{ sender: account, nonce, callData, preVerificationGas },
    initCode: op.factory === null ? "0x" : concat([op.factory, op.factoryData]),
    accountGasLimits: concat([half(op.verificationGasLimit), half(op.callGasLimit)]),
    gasFees: concat([half(op.maxPriorityFeePerGas), half(op.maxFeePerGas)]),
    paymasterAndData: op.paymaster === null ? "0x" : concat([op.paymaster, gas, op.paymasterData]),
  };
}

function hashByEthers(op: UserOperation): string {
  const packed: Readonly<Record<string, string>> = packByEthers(op);
  if (op.entryPointVersion === "0.8") {
    const domain = { name: "ERC4337", version: "1", chainId: op.chainId, verifyingContract: op.entryPoint };
    return TypedDataEncoder.hash(domain, { PackedUserOperation: packedTypes }, packed);
  }
  const words = packedTypes.map(({ type, name }) => ({
    type: type === "bytes" ? "bytes32" : type,
    value: type === "bytes" ? keccak256(packed[name] ?? "") : packed[name],
  }));
  const coder = AbiCoder.defaultAbiCoder();
  const inner = coder.encode(
    words.map(({ type }) => type),
    words.map(({ value }) => value),
  );
  const whole = [keccak256(inner), op.entryPoint, op.chainId];
  return keccak256(coder.encode(["bytes32", "address", "uint256"], whole));
}

function hashByViem({ chainId, entryPoint, entryPointVersion, factory, paymaster, ...op }: UserOperation) {
  const userOperation = {
    ...{ sender: op.sender, nonce: BigInt(op.nonce), callData: op.callData, signature: "0x" as const },
    ...{ callGasLimit: BigInt(op.callGasLimit), verificationGasLimit: BigInt(op.verificationGasLimit) },
    preVerificationGas: BigInt(op.preVerificationGas),
    ...{ maxFeePerGas: BigInt(op.maxFeePerGas), maxPriorityFeePerGas: BigInt(op.maxPriorityFeePerGas) },
    ...(factory === null ? {} : { factory, factoryData: op.factoryData }),
    ...(paymaster === null ? {} : { paymaster, paymasterData: op.paymasterData }),
    paymasterVerificationGasLimit: BigInt(op.paymasterVerificationGasLimit),
    paymasterPostOpGasLimit: BigInt(op.paymasterPostOpGasLimit),
  };
  return getUserOperationHash({
    ...{ chainId, entryPointAddress: entryPoint, entryPointVersion, userOperation },
  });
}

describe("a user operation", () => {
  test("has one form, however a library writes it", () => {
    const parsed = parseUserOperation(operation());
    expect(parsed).toEqual({
      ...{ chainId: 1, entryPoint: entryPoints["0.7"], entryPointVersion: "0.7" },
      ...{ sender: sender.toLowerCase(), nonce: "7", factory: null, factoryData: "0x", callData: "0xc0ffee" },
      ...{ callGasLimit: "90000", verificationGasLimit: "120000", preVerificationGas: "50000" },
      ...{ maxFeePerGas: "2000000000", maxPriorityFeePerGas: "1", paymaster: null, paymasterData: "0x" },
      ...{ paymasterVerificationGasLimit: "0", paymasterPostOpGasLimit: "0" },
    });
    for (const same of [
      parsed,
      operation({ chainId: 1, entryPointVersion: "0.7", nonce: "0x7", callGasLimit: 90_000n }),
      operation({ factory: null, factoryData: null, paymaster: null, paymasterData: null }),
      operation({ entryPoint: "0x0000000071727De22E5E9d8BAf0edAc6f37da032" }),
    ])
      expect(parseUserOperation(same)).toEqual(parsed);
  });

  test("names the version of its entry point", () => {
    const { entryPointVersion } = parseUserOperation(operation({ entryPoint: entryPoints["0.8"] }));
    expect(entryPointVersion).toBe("0.8");
  });

  test.each([
    ["userOperation", []],
    ["chainId", operation({ chainId: undefined })],
    ["chainId", operation({ chainId: 0 })],
    ["entryPoint", operation({ entryPoint: undefined })],
    ["entryPoint", operation({ entryPoint: other })],
    // EntryPoint 0.6, and 0.9.
    ["entryPoint", operation({ entryPoint: "0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789" })],
    ["entryPoint", operation({ entryPoint: "0x433709009b8330fda32311df1c2afa402ed8d009" })],
    ["entryPointVersion", operation({ entryPointVersion: "0.8" })],
    ["entryPointVersion", operation({ entryPointVersion: null })],
    ["sender", operation({ sender: "0xacc0" })],
    ["nonce", operation({ nonce: undefined })],
    ["nonce", operation({ nonce: -1 })],
    ["callData", operation({ callData: undefined })],
    ["callData", operation({ callData: "0xf" })],
    ["callGasLimit", operation({ callGasLimit: 2n ** 128n })],
    ["verificationGasLimit", operation({ verificationGasLimit: 1.5 })],
    ["preVerificationGas", operation({ preVerificationGas: 2n ** 256n })],
    ["maxFeePerGas", operation({ maxFeePerGas: undefined })],
    ["maxPriorityFeePerGas", operation({ maxPriorityFeePerGas: "1 gwei" })],
    ["factory", operation({ ...withFactory, factory: "0xfac7" })],
    ["factoryData", operation({ factoryData: "0x01" })],
    ["paymaster", operation({ ...withPaymaster, paymaster: `0x${"0".repeat(40)}` })],
    ["paymasterVerificationGasLimit", operation({ ...withPaymaster, paymaster: null })],
    ["paymasterPostOpGasLimit", operation({ paymasterPostOpGasLimit: 1 })],
    ["paymasterData", operation({ paymasterData: "0x01" })],
    ["signature", operation({ signature: "0x" })],
    ["initCode", operation({ initCode: "0x" })],
    ["paymasterAndData", operation({ paymasterAndData: "0x" })],
    ["authorization", operation({ authorization: {} })],
    ["eip7702Auth", operation({ eip7702Auth: {} })],
  ])("with a wrong %s is rejected, and the problem names it", (at, json) => {
    const parse = () => parseUserOperation(json);
    expect(parse).toThrow(TypedDataProblem);
    expect(parse).toThrow(expect.objectContaining({ at }) as Error);
  });

  test.each(["0x7702", `0x7702${"0".repeat(36)}`])("with a factory %s is rejected", (factory) => {
    for (const entryPoint of Object.values(entryPoints))
      expect(() => parseUserOperation(operation({ entryPoint, factory }))).toThrow("EIP-7702");
  });

  test("has the hash that ethers and viem compute", () => {
    fc.assert(
      fc.property(anyOperation, (userOperation) => {
        const found = hashPayload({ shape: "userOperation", userOperation });
        expect(found).toBe(hashByEthers(userOperation));
        expect(found).toBe(hashByViem(userOperation));
      }),
    );
  });

  test.each(Object.values(entryPoints))("has another hash if anything in it differs, at %s", (entryPoint) => {
    const base = operation({ entryPoint, ...withFactory, ...withPaymaster });
    const changes = [
      ...[{}, { chainId: 2 }, { sender: other }, { nonce: 8 }, { callData: "0x" }, { callGasLimit: 1 }],
      ...[{ verificationGasLimit: 1 }, { preVerificationGas: 1 }, { maxFeePerGas: 1 }],
      ...[{ maxPriorityFeePerGas: 2 }, { factory: sender }, { factoryData: "0x" }, { paymaster: sender }],
      ...[{ paymasterVerificationGasLimit: 5 }, { paymasterPostOpGasLimit: 5 }, { paymasterData: "0x" }],
      ...Object.values(entryPoints)
        .filter((address) => address !== entryPoint)
        .map((address) => ({ entryPoint: address })),
    ];
    const hashes = changes.map((change) => hash({ ...base, ...change }));
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test("is for its own chain, and for any account that signs for the sender", () => {
    const payload = { shape: "userOperation", userOperation: parseUserOperation(operation()) } as const;
    for (const escrow of [payload.userOperation.sender, entryPoints["0.8"]]) {
      expect(isFor(payload, { chainId: 1, escrow })).toBe(true);
      expect(isFor(payload, { chainId: 2, escrow })).toBe(false);
    }
  });

  test("costs at most all of its gas limits at its highest price", () => {
    const fees = { callGasLimit: 1, verificationGasLimit: 20, preVerificationGas: 300, maxFeePerGas: 7 };
    expect(largestFee(parseUserOperation(operation(fees)))).toBe(321n * 7n);
    const limits = { paymasterVerificationGasLimit: 4_000, paymasterPostOpGasLimit: 50_000 };
    const paid = operation({ ...fees, ...withPaymaster, ...limits });
    expect(largestFee(parseUserOperation(paid))).toBe(54_321n * 7n);
  });

  test("is written as the call of the entry point, for readers of calls", () => {
    const abi = parseAbi([
      "struct Op { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }",
      "function handleOps(Op[] ops, address beneficiary)",
    ]);
    fc.assert(
      fc.property(anyOperation, (userOperation) => {
        const { to, data } = userOperationCall(userOperation);
        const [[op]] = decodeFunctionData({ abi, data }).args;
        const packed = packByEthers(userOperation);
        const read = { ...op, nonce: String(op?.nonce), preVerificationGas: String(op?.preVerificationGas) };
        expect(to).toBe(userOperation.entryPoint);
        expect({ ...read, sender: op?.sender.toLowerCase() }).toEqual({ ...packed, signature: "0x" });
      }),
    );
  });
});
