import { hashPayload, parseTypedData, type Hex, type Payload } from "@countersign/wire";
import { encodeAbiParameters, encodeFunctionData, encodePacked, parseAbi, parseAbiParameters } from "viem";
import { describe, expect, test } from "vitest";
import { authorization, aPayload, someCalls } from "../../../test/transactions/payloads.ts";
import { entryPoints } from "../../adapters/chain/index.ts";
import { hasEnded, proofOf, senderMark, topics, type EventLog, type Mined } from "./index.ts";
import { topicOf, wordOf } from "./words.ts";

const account: Hex = `0x${"a1".repeat(20)}`;
const other: Hex = `0x${"b2".repeat(20)}`;
const token: Hex = "0x1c7d4b196cb0c7b01d743fbc6116a902379c7238";
const chainId = 11_155_111;

const proofFor = (payload: Payload, escrow: Hex = account) =>
  proofOf({ chainId, escrow, payload, signingHash: hashPayload(payload) });
const signed = (definition: object, escrow?: Hex) =>
  proofFor({ shape: "typedData", typedData: parseTypedData(definition) }, escrow);
const mined = (changes: Partial<Mined> = {}): Mined => ({
  ...{ from: other, to: token, value: 0n, input: "0x", succeeded: true, logs: [], delegations: [] },
  ...changes,
});

describe("watches", () => {
  test.each([
    ["typedData", "eip3009"],
    ["calls", "calls"],
    ["safeTransaction", "safe"],
    ["authorizationList", "eip7702"],
    ["userOperation", "userOperation"],
  ] as const)("a %s by %s", (shape, kind) => {
    expect(proofFor(aPayload[shape](account))?.kind).toBe(kind);
  });

  test("not a signed text, and not what the sender encrypted", () => {
    expect(proofFor(aPayload.message(account))).toBeUndefined();
    expect(proofOf({ chainId, escrow: account, payload: null, signingHash: null })).toBeUndefined();
  });

  test("not a payment that another account signs", () => {
    expect(proofFor({ shape: "typedData", typedData: authorization(other) })).toBeUndefined();
  });

  const permit = {
    domain: { name: "Token", version: "1", chainId, verifyingContract: token },
    types: {
      Permit: [
        { name: "owner", type: "address" },
        { name: "spender", type: "address" },
        { name: "value", type: "uint256" },
        { name: "nonce", type: "uint256" },
        { name: "deadline", type: "uint256" },
      ],
    },
    primaryType: "Permit",
    message: { owner: account, spender: other, value: "5", nonce: "3", deadline: "1900000000" },
  };

  test("a permit, by its members and not by its name", () => {
    expect(signed(permit)?.kind).toBe("eip2612");
    const renamed = permit.types.Permit.map((field) =>
      field.name === "deadline" ? { ...field, name: "end" } : field,
    );
    const { deadline: end, ...rest } = permit.message;
    expect(signed({ ...permit, types: { Permit: renamed }, message: { ...rest, end } })).toBeUndefined();
  });

  test("not data that is valid on every chain, or that names no contract", () => {
    const { chainId: _chain, ...anyChain } = permit.domain;
    const { verifyingContract: _contract, ...anyContract } = permit.domain;
    expect(signed({ ...permit, domain: anyChain })).toBeUndefined();
    expect(signed({ ...permit, domain: anyContract })).toBeUndefined();
  });

  test("a permit until the second after its deadline, and not past the end of dates", () => {
    const proof = signed(permit);
    expect(proof && [hasEnded(proof, 1_900_000_000n), hasEnded(proof, 1_900_000_001n)]).toEqual([
      false,
      true,
    ]);
    const endless = { ...permit.message, deadline: (2n ** 256n - 1n).toString() };
    expect(signed({ ...permit, message: endless })?.endsAt).toBeNull();
  });

  const allowance = (details: readonly { name: string; type: string }[], contract: Hex) => ({
    domain: { name: "Permit2", chainId, verifyingContract: contract },
    types: {
      PermitSingle: [
        { name: "details", type: "PermitDetails" },
        { name: "spender", type: "address" },
        { name: "sigDeadline", type: "uint256" },
      ],
      PermitDetails: details,
    },
    primaryType: "PermitSingle",
    message: {
      details: Object.fromEntries(details.map(({ name, type }) => [name, type === "address" ? token : "1"])),
      spender: other,
      sigDeadline: "1900000000",
    },
  });
  const details = [
    { name: "token", type: "address" },
    { name: "amount", type: "uint160" },
    { name: "expiration", type: "uint48" },
    { name: "nonce", type: "uint48" },
  ];
  const permit2: Hex = "0x000000000022d473030f116ddee9f6b43ac78ba3";

  test("an allowance of Permit2, only at its address and with its members", () => {
    expect(signed(allowance(details, permit2))?.kind).toBe("permit2Allowance");
    expect(signed(allowance(details, token))).toBeUndefined();
    expect(signed(allowance(details.slice(0, 3), permit2))).toBeUndefined();
  });

  test.each(["PermitTransferFrom", "PermitWitnessTransferFrom"])(
    "a transfer of Permit2: %s",
    (primaryType) => {
      const witness = primaryType.includes("Witness") ? [{ name: "witness", type: "Order" }] : [];
      const proof = signed({
        domain: { name: "Permit2", chainId, verifyingContract: permit2 },
        types: {
          [primaryType]: [
            { name: "permitted", type: "TokenPermissions" },
            { name: "spender", type: "address" },
            { name: "nonce", type: "uint256" },
            { name: "deadline", type: "uint256" },
            ...witness,
          ],
          TokenPermissions: [
            { name: "token", type: "address" },
            { name: "amount", type: "uint256" },
          ],
          ...(witness.length > 0 ? { Order: [{ name: "id", type: "uint256" }] } : {}),
        },
        primaryType,
        message: {
          ...{ permitted: { token, amount: "1" }, spender: other, nonce: "259", deadline: "1900000000" },
          ...(witness.length > 0 ? { witness: { id: "1" } } : {}),
        },
      });
      expect(proof).toMatchObject({ kind: "permit2Transfer", contracts: [permit2, token] });
      // The fourth bit of the second word.
      expect([proof?.state?.isOpen(wordOf(8n)), proof?.state?.isOpen(wordOf(7n))]).toEqual([false, true]);
      expect(proof?.judge(mined())).toBeUndefined();
    },
  );
});

describe("a payment by signature", () => {
  const typedData = authorization(account);
  const proof = proofFor({ shape: "typedData", typedData });
  const nonce = typedData.message["nonce"] as Hex;
  const used: EventLog = {
    address: token,
    topics: [topics.authorizationUsed, topicOf(account), nonce],
    data: "0x",
  };
  const paid: EventLog = {
    address: token,
    topics: [topics.transfer, topicOf(account), topicOf(`0x${"11".repeat(20)}`)],
    data: wordOf(10_000n),
  };
  const outcome = (...logs: readonly EventLog[]) => proof?.judge(mined({ logs }))?.outcome;

  test("is used if the payment is next to the event", () => {
    expect([outcome(used, paid), outcome(paid, used)]).toEqual(["used", "used"]);
  });
  test.each([
    ["no payment", []],
    ["another amount", [{ ...paid, data: wordOf(9_999n) }]],
    ["another token", [{ ...paid, address: other }]],
    ["a payment further away", [{ ...used, address: other }, paid]],
  ] as const)("has its nonce used, by what is not proven: %s", (_, logs) => {
    expect(outcome(used, ...logs)).toBe("spent");
  });
  test("is not concerned by the event of another contract", () => {
    expect(outcome({ ...used, address: other }, paid)).toBeUndefined();
  });
  test.each([
    ["0x", undefined],
    [wordOf(0n), true],
    [wordOf(1n), false],
    [wordOf(2n), undefined],
  ] as const)("reads the state %s as open: %s", (answer, isOpen) => {
    expect(proof?.state?.isOpen(answer)).toBe(isOpen);
  });
});

test("a Safe's events name the hash in a topic or, before version 1.4, in their data", () => {
  const payload = aPayload.safeTransaction(account);
  const proof = proofFor(payload);
  const hash = hashPayload(payload);
  const judge = (topic: Hex, ...at: readonly [topics: readonly Hex[], data: Hex]) =>
    proof?.judge(mined({ logs: [{ address: account, topics: [topic, ...at[0]], data: at[1] }] }))?.outcome;
  expect(judge(topics.executionSuccess, [hash], wordOf(0n))).toBe("used");
  expect(judge(topics.executionSuccess, [], `${hash}${"0".repeat(64)}`)).toBe("used");
  expect(judge(topics.executionFailure, [hash], wordOf(0n))).toBe("failed");
  expect(judge(topics.executionSuccess, [wordOf(1n)], wordOf(0n))).toBeUndefined();
});

describe("a user operation", () => {
  const operation = { entryPoint: entryPoints[1], sender: account, nonce: ((5n << 64n) + 2n).toString() };
  const signingHash = wordOf(77n);
  const payload = { shape: "userOperation", userOperation: operation } as unknown as Payload;
  const proof = proofOf({ chainId, escrow: account, payload, signingHash });
  const event = (hash: Hex, success: bigint, address: Hex = operation.entryPoint): EventLog => ({
    ...{ address, topics: [topics.userOperation, hash, topicOf(account), wordOf(0n)] },
    data: `${wordOf(2n)}${wordOf(success).slice(2)}`,
  });
  test.each([
    ["used", event(signingHash, 1n)],
    ["failed", event(signingHash, 0n)],
    [undefined, event(wordOf(78n), 1n)],
    [undefined, event(signingHash, 1n, other)],
  ])("is %s by the entry point's event", (outcome, log) => {
    expect(proof?.judge(mined({ logs: [log] }))?.outcome).toBe(outcome);
  });
  test("has a nonce in the sequence of its key", () => {
    const next = (sequence: bigint) => proof?.state?.isOpen(wordOf((5n << 64n) + sequence));
    expect([next(2n), next(3n)]).toEqual([true, false]);
  });
});

describe("a batch", () => {
  const calls = someCalls(account);
  const proof = proofFor({ shape: "calls", calls });
  const list = calls.calls.map(({ to, value, data }) => ({ to, value: BigInt(value), data }));
  const judge = (changes: Partial<Mined>) => proof?.judge(mined(changes))?.outcome;
  const accountAbi = parseAbi([
    "function executeBatch((address to, uint256 value, bytes data)[] calls)",
    "function execute(bytes32 mode, bytes executionData)",
  ]);
  const asBatch = encodeFunctionData({ abi: accountAbi, functionName: "executeBatch", args: [list] });
  const inMode = (mode: Hex) =>
    encodeFunctionData({
      ...{ abi: accountAbi, functionName: "execute" },
      args: [
        `${mode}${"0".repeat(66 - mode.length)}` as Hex,
        encodeAbiParameters(parseAbiParameters("(address to, uint256 value, bytes data)[] calls"), [list]),
      ],
    });
  const own = { from: account, to: account } as const;

  test("is found by the account's transactions", () => {
    expect(proof?.marks).toContain(senderMark(account));
  });
  test.each([
    ["a batch of its own code", asBatch, "used"],
    ["a batch of ERC-7821", inMode("0x0100"), "used"],
    ["a batch whose calls may fail alone", inMode("0x0101"), undefined],
    ["an unknown function", "0x12345678", undefined],
  ] as const)("made by %s is %s", (_, input, outcome) => {
    expect(judge({ ...own, input })).toBe(outcome);
  });
  test("is not made by a transaction that failed", () => {
    expect(judge({ ...own, input: asBatch, succeeded: false })).toBeUndefined();
  });

  const [entryPoint] = entryPoints.slice(1);
  const handleOps = parseAbi([
    "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)",
  ]);
  const operation = (sender: Hex) => ({
    ...{ sender, nonce: 0n, initCode: "0x", callData: asBatch, accountGasLimits: wordOf(0n) },
    ...{ preVerificationGas: 0n, gasFees: wordOf(0n), paymasterAndData: "0x", signature: "0x" },
  });
  const operations = (...senders: readonly Hex[]) =>
    encodeFunctionData({ abi: handleOps, args: [senders.map(operation) as never, other] });
  const reported = (address: Hex, success: bigint): EventLog => ({
    ...{ address, topics: [topics.userOperation, wordOf(1n), topicOf(account), wordOf(0n)] },
    data: `${wordOf(0n)}${wordOf(success).slice(2)}`,
  });
  test.each([
    ["used", entryPoint, [account], 1n],
    ["not used: it failed", entryPoint, [account], 0n],
    ["not used: it is another account's", entryPoint, [other], 1n],
    ["not used: there are two, and one event", entryPoint, [account, account], 1n],
    ["not used: anyone can emit the event", other, [account], 1n],
  ] as const)("in a user operation is %s", (what, to = other, senders, success) => {
    const logs = [reported(to, success)];
    expect(judge({ to, input: operations(...senders), logs })).toBe(what === "used" ? "used" : undefined);
  });

  const safeAbi = parseAbi([
    "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)",
    "function multiSend(bytes transactions)",
  ]);
  const packed = list.map(({ to, value, data }) =>
    encodePacked(
      ["uint8", "address", "uint256", "uint256", "bytes"],
      [0, to, value, BigInt((data.length - 2) / 2), data],
    ).slice(2),
  );
  const throughSafe = (to: Hex, kind: 0 | 1) =>
    encodeFunctionData({
      ...{ abi: safeAbi, functionName: "execTransaction" },
      args: [
        ...([to, 0n] as const),
        encodeFunctionData({ abi: safeAbi, functionName: "multiSend", args: [`0x${packed.join("")}`] }),
        ...([kind, 0n, 0n, 0n, other, other, "0x"] as const),
      ],
    });
  const multiSend: Hex = "0x38869bf66a61cf6bdb996a6ae40d5853fd43b526";
  const executed = (topic: Hex): EventLog => ({ address: account, topics: [topic, wordOf(1n)], data: "0x" });
  test.each([
    ["used", throughSafe(multiSend, 1), topics.executionSuccess],
    ["not used: it failed", throughSafe(multiSend, 1), topics.executionFailure],
    ["not used: another contract's code", throughSafe(other, 1), topics.executionSuccess],
    ["not used: a call of the library does nothing", throughSafe(multiSend, 0), topics.executionSuccess],
  ] as const)("of a Safe is %s", (what, input, topic) => {
    expect(judge({ to: account, input, logs: [executed(topic)] })).toBe(what === "used" ? "used" : undefined);
  });
});
