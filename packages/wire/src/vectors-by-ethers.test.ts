// The same vectors by another library and by types written out once more: nothing of this package is imported here.
import { createHash } from "node:crypto";
import {
  AbiCoder,
  concat,
  hashAuthorization,
  hashMessage,
  keccak256,
  toBeHex,
  toUtf8Bytes,
  TypedDataEncoder,
  verifyTypedData,
} from "ethers";
import { describe, expect, test } from "vitest";
import vectors from "../vectors.json" with { type: "json" };

const fieldsOf = (list: string) =>
  list.split(", ").map((field) => {
    const [type = "", name = ""] = field.split(" ");
    return { type, name };
  });

const Proposal = fieldsOf(
  "address escrow, uint256 chainId, address to, uint256 value, bytes32 dataHash, bytes32 intentHash, uint8 executionType, uint256 deadline, bytes32 salt",
);
const SealedProposal = fieldsOf(
  "address escrow, uint256 chainId, bytes32 payloadHash, uint8 executionType, uint256 deadline, bytes32 salt",
);
const Verdict = fieldsOf(
  "bytes32 requestHash, address escrow, uint256 chainId, address to, uint256 value, bytes32 dataHash, bytes32 intentHash, uint8 decision, bytes32 reportHash, uint64 issuedAt, uint64 validUntil",
);
const ShapedProposal = fieldsOf(
  "address escrow, uint256 chainId, string shape, bytes32 signingHash, bytes32 intentHash, uint8 executionType, uint256 deadline, bytes32 salt",
);
const ShapedVerdict = fieldsOf(
  "bytes32 requestHash, address escrow, uint256 chainId, string shape, bytes32 signingHash, bytes32 intentHash, uint8 decision, bytes32 reportHash, uint64 issuedAt, uint64 validUntil",
);
const Intent = fieldsOf("address account, string text, uint256 chainId, bytes32 nonce, uint256 expiresAt");

const typed = ({ chainId, inbox }: { chainId: number; inbox: string }, version = "1") => ({
  name: "Countersign",
  version,
  chainId,
  verifyingContract: inbox,
});
const hashText = (text: string) => keccak256(toUtf8Bytes(text));

type TypedData = {
  readonly domain: object;
  readonly types: Record<string, { name: string; type: string }[]>;
  readonly message: Record<string, unknown>;
};
type Calls = Readonly<Record<"chainId" | "from" | "atomicRequired" | "calls", unknown>>;
type SafeTransaction = Readonly<Record<"chainId" | "safe", unknown>> & Record<string, unknown>;
type UserOperation = {
  readonly chainId: number;
  readonly entryPoint: string;
  readonly entryPointVersion: string;
  readonly factory: string | null;
  readonly paymaster: string | null;
} & Readonly<Record<Member, string>>;
type Member =
  | ("sender" | "nonce" | "factoryData" | "callData" | "callGasLimit" | "verificationGasLimit")
  | ("preVerificationGas" | "maxFeePerGas" | "maxPriorityFeePerGas" | "paymasterData")
  | ("paymasterVerificationGasLimit" | "paymasterPostOpGasLimit");
type Shaped =
  | { readonly shape: "typedData"; readonly typedData: TypedData }
  | { readonly shape: "calls"; readonly calls: Calls }
  | { readonly shape: "safeTransaction"; readonly safeTransaction: SafeTransaction }
  | { readonly shape: "message"; readonly message: string }
  | {
      readonly shape: "authorizationList";
      readonly authorizationList: readonly [{ chainId: number; address: string; nonce: string }];
    }
  | { readonly shape: "userOperation"; readonly userOperation: UserOperation };

const Batch = fieldsOf("address from, bool atomicRequired, Call[] calls");
const Call = fieldsOf("address to, uint256 value, bytes data");
const SafeTx = fieldsOf(
  "address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce",
);

const PackedUserOperation = fieldsOf(
  "address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData",
);

/** Two numbers of 16 bytes. */
const halves = (...amounts: readonly string[]) =>
  concat(amounts.map((amount) => toBeHex(BigInt(amount), 16)));

function pack(op: UserOperation): Readonly<Record<string, string>> {
  const paymasterGas = halves(op.paymasterVerificationGasLimit, op.paymasterPostOpGasLimit);
  return {
    ...{ sender: op.sender, nonce: op.nonce, callData: op.callData },
    initCode: op.factory === null ? "0x" : concat([op.factory, op.factoryData]),
    accountGasLimits: halves(op.verificationGasLimit, op.callGasLimit),
    preVerificationGas: op.preVerificationGas,
    gasFees: halves(op.maxPriorityFeePerGas, op.maxFeePerGas),
    paymasterAndData: op.paymaster === null ? "0x" : concat([op.paymaster, paymasterGas, op.paymasterData]),
  };
}

/** Version 0.7: the ABI encoding of all members, with the hash of each that is `bytes`. */
function hashWords({ entryPoint, chainId }: UserOperation, packed: Readonly<Record<string, string>>) {
  const coder = AbiCoder.defaultAbiCoder();
  const types = PackedUserOperation.map(({ type }) => type.replace(/^bytes$/, "bytes32"));
  const values = PackedUserOperation.map(({ type, name }) =>
    type === "bytes" ? keccak256(packed[name] ?? "") : packed[name],
  );
  const inner = keccak256(coder.encode(types, values));
  return keccak256(coder.encode(["bytes32", "address", "uint256"], [inner, entryPoint, chainId]));
}

function hashUserOperation(operation: UserOperation): string {
  const { chainId, entryPoint, entryPointVersion } = operation;
  const packed = pack(operation);
  if (entryPointVersion === "0.7") return hashWords(operation, packed);
  const domain = { name: "ERC4337", version: "1", chainId, verifyingContract: entryPoint };
  return TypedDataEncoder.hash(domain, { PackedUserOperation }, packed);
}

function hashShape(fields: Shaped): string {
  switch (fields.shape) {
    case "typedData": {
      const { domain, types, message } = fields.typedData;
      return TypedDataEncoder.hash(domain, types, message);
    }
    case "calls": {
      const { chainId, ...message } = fields.calls;
      const domain = { name: "Countersign", version: "2", chainId: chainId as number };
      return TypedDataEncoder.hash(domain, { Batch, Call }, message);
    }
    case "safeTransaction": {
      const { chainId, safe, ...message } = fields.safeTransaction;
      const domain = { chainId: chainId as number, verifyingContract: safe as string };
      return TypedDataEncoder.hash(domain, { SafeTx }, message);
    }
    case "message":
      return hashMessage(fields.message);
    case "authorizationList": {
      const [{ nonce, ...members }] = fields.authorizationList;
      return hashAuthorization({ ...members, nonce: BigInt(nonce) });
    }
    case "userOperation":
      return hashUserOperation(fields.userOperation);
  }
}

describe("by ethers", () => {
  test.each(vectors.proposals)("proposal: $name", ({ domain, fields, ...expected }) => {
    const { data, userPrompt, ...message } = fields;
    const hashes = { dataHash: keccak256(data), intentHash: hashText(userPrompt) };
    expect(hashes).toEqual({ dataHash: expected.dataHash, intentHash: expected.intentHash });
    expect(TypedDataEncoder.hash(typed(domain), { Proposal }, { ...message, ...hashes })).toBe(
      expected.requestHash,
    );
  });

  test.each(vectors.sealedProposals)("sealed proposal: $name", ({ domain, fields, ...expected }) => {
    const { ciphertext, ...message } = fields;
    const payloadHash = hashText(ciphertext);
    expect(payloadHash).toBe(expected.payloadHash);
    expect(TypedDataEncoder.hash(typed(domain), { SealedProposal }, { ...message, payloadHash })).toBe(
      expected.requestHash,
    );
  });

  test.each(vectors.verdicts)("verdict: $name", ({ domain, verdict, digest, signature, signer }) => {
    const decision = ["", "APPROVED", "REJECTED", "UNDECIDED"].indexOf(verdict.decision);
    const message = { ...verdict, decision };
    expect(TypedDataEncoder.hash(typed(domain), { Verdict }, message)).toBe(digest);
    expect(verifyTypedData(typed(domain), { Verdict }, message, signature).toLowerCase()).toBe(signer);
  });

  test.each(vectors.shapedProposals)("proposal of version 2: $name", ({ domain, fields, ...expected }) => {
    const { userPrompt, ...message } = fields;
    const hashes = {
      signingHash: hashShape(fields as unknown as Shaped),
      intentHash: hashText(userPrompt),
    };
    expect(hashes).toEqual({ signingHash: expected.signingHash, intentHash: expected.intentHash });
    const struct = { Proposal: ShapedProposal };
    expect(TypedDataEncoder.hash(typed(domain, "2"), struct, { ...message, ...hashes })).toBe(
      expected.requestHash,
    );
  });

  test.each(vectors.shapedVerdicts)("verdict of version 2: $name", ({ domain, verdict, ...expected }) => {
    const decision = ["", "APPROVED", "REJECTED", "UNDECIDED"].indexOf(verdict.decision);
    const message = { ...verdict, decision };
    const struct = { Verdict: ShapedVerdict };
    expect(TypedDataEncoder.hash(typed(domain, "2"), struct, message)).toBe(expected.digest);
    const signer = verifyTypedData(typed(domain, "2"), struct, message, expected.signature);
    expect(signer.toLowerCase()).toBe(expected.signer);
  });

  test.each(vectors.intents)("intent: $name", ({ intent, digest }) => {
    expect(TypedDataEncoder.hash({ name: "Countersign", version: "1" }, { Intent }, intent)).toBe(digest);
  });

  test.each(vectors.cids)("digest: $cid", ({ text, digest }) => {
    expect(`0x${createHash("sha256").update(text).digest("hex")}`).toBe(digest);
  });

  test.each(vectors.registrations)(
    "registrations: $name",
    ({ inbox, entries, leaves, root, proofs, listDigest }) => {
      const coder = AbiCoder.defaultAbiCoder();
      for (const [index, { requestHash, contentDigest }] of entries.entries()) {
        const encoded = coder.encode(["bytes32", "bytes32", "address"], [requestHash, contentDigest, inbox]);
        const leaf = keccak256(keccak256(encoded));
        expect(leaf).toBe(leaves[index]);
        const end = (proofs[index] ?? []).reduce(
          (node, sibling) => keccak256(concat([node, sibling].sort())),
          leaf,
        );
        expect(end).toBe(root);
      }
      const pairs = entries.map(({ requestHash, contentDigest }) => [requestHash, contentDigest]);
      const list = JSON.stringify({ version: 1, form: "registrations", inbox, entries: pairs });
      expect(`0x${createHash("sha256").update(list).digest("hex")}`).toBe(listDigest);
    },
  );

  test("the vectors have every execution type and every decision", () => {
    expect(new Set(vectors.proposals.map(({ fields }) => fields.executionType))).toEqual(new Set([0, 1, 2]));
    expect(new Set(vectors.sealedProposals.map(({ fields }) => fields.executionType))).toEqual(
      new Set([0, 1, 2]),
    );
    expect(new Set(vectors.verdicts.map(({ verdict }) => verdict.decision))).toEqual(
      new Set(["APPROVED", "REJECTED", "UNDECIDED"]),
    );
  });
});
