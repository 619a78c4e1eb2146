// Reads a request and a call from options, or from a document in the API's format.
import type {
  AuthorizationTuple,
  Batch,
  Call,
  Hex,
  Proposal,
  SafeTransaction,
  TypedData,
  UserOperation,
} from "@countersign/sdk";
import type { Context } from "../context.ts";
import { usageError } from "../errors.ts";
import { readSpan } from "../render/times.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { readAddress, readBytes, readCall, readValue, type CallOptions } from "./read-call.ts";
import { readDocument } from "./read-document.ts";

/** Exactly one of them is proposed. */
const subjects = [
  ...(["tx", "typedData", "calls", "safeTransaction", "message"] as const),
  ...(["authorizationList", "userOperation"] as const),
] as const;

export type Asked = Terms & SubjectOf<Proposal>;
type SubjectOf<Each> = Each extends Proposal ? Pick<Each, (typeof subjects)[number]> : never;

type Terms = {
  readonly words: string;
  readonly chainId?: number;
  readonly escrowAddress?: Hex;
  readonly deadline?: Date;
  readonly contextLogs?: Readonly<Record<string, unknown>>;
};

export type AskedOptions = CallOptions & {
  readonly words?: string;
  readonly file?: string;
  readonly chain?: number;
  readonly escrow?: string;
  readonly deadline?: string;
};

/** Of a transaction. The guide has one for each of the others. */
const fileExample = `{"userPrompt": "Send 0.1 ETH to 0x…", "tx": {"to": "0x…", "value": "100000000000000000", "data": "0x"}}`;

export async function readAsked(options: AskedOptions, context: Context, now: Date): Promise<Asked> {
  const { words, file, chain, escrow, deadline } = options;
  if (file !== undefined) {
    const other = (["words", "to", "value", "data"] as const).find((name) => options[name] !== undefined);
    if (other !== undefined) throw usageError(`Use either the file or --${other}, not both.`);
  } else if (words === undefined)
    throw usageError(
      "--words is missing: the user's request, word for word.",
      `--words "Send 0.1 ETH to 0x…" --to 0x… --value 0.1ETH`,
    );
  const asked: Asked =
    file === undefined
      ? { words: words ?? "", tx: readCall(options) }
      : askedOf(await readDocument(file, context));
  return {
    ...asked,
    ...(chain === undefined ? {} : { chainId: chain }),
    ...(escrow === undefined ? {} : { escrowAddress: readAddress(escrow, "--escrow") }),
    ...(deadline === undefined ? {} : { deadline: deadlineOf(deadline, now) }),
  };
}

function deadlineOf(text: string, now: Date): Date {
  const ms = readSpan(text);
  if (ms === undefined) throw usageError("--deadline needs a duration: 90s, 30m, 2h or 1d.");
  return new Date(now.getTime() + ms);
}

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Rejects unknown fields: one of them could matter. */
function only(value: unknown, known: readonly string[], what: string): Members {
  if (!isObject(value)) throw usageError(`${what} must be an object.`, fileExample);
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other !== undefined)
    throw usageError(`${what} has an unknown field: ${plainLine(other)}.`, fileExample);
  return value;
}

function text(value: unknown, name: string): string {
  if (typeof value !== "string" || value === "")
    throw usageError(`${name} in the file must be a string.`, fileExample);
  return value;
}

function askedOf(value: unknown): Asked {
  const known = ["userPrompt", ...subjects, "chainId", "escrowAddress", "deadline", "contextLogs"];
  const given = only(value, known, "The file");
  const { userPrompt, chainId, escrowAddress, deadline, contextLogs } = given;
  return {
    words: text(userPrompt, "userPrompt"),
    ...subjectOf(given),
    ...(chainId === undefined ? {} : { chainId: wholeNumber(chainId, "chainId") }),
    ...(escrowAddress === undefined
      ? {}
      : { escrowAddress: readAddress(text(escrowAddress, "escrowAddress"), "escrowAddress") }),
    ...(deadline === undefined ? {} : { deadline: new Date(wholeNumber(deadline, "deadline") * 1000) }),
    ...(contextLogs === undefined ? {} : { contextLogs: membersOf(contextLogs) }),
  };
}

function subjectOf(given: Members): SubjectOf<Proposal> {
  const [first = "tx", second] = subjects.filter((name) => given[name] !== undefined);
  if (second !== undefined)
    throw usageError(`The file must have either ${first} or ${second}, not both.`, fileExample);
  switch (first) {
    case "tx":
      return { tx: callOf(given[first]) };
    case "typedData":
      return { typedData: typedDataOf(given[first]) };
    case "calls":
      return { calls: batchOf(given[first]) };
    case "safeTransaction":
      return { safeTransaction: safeTransactionOf(given[first]) };
    case "message":
      return { message: text(given[first], "message") };
    case "authorizationList":
      return { authorizationList: authorizationOf(given[first]) };
    case "userOperation":
      return { userOperation: userOperationOf(given[first]) };
  }
}

function callOf(tx: unknown): Call {
  const { to, value = "0", data = "0x" } = only(tx, ["to", "value", "data"], "tx in the file");
  return {
    to: readAddress(text(to, "tx.to"), "tx.to"),
    value: readValue(text(value, "tx.value")),
    data: readBytes(text(data, "tx.data")),
  };
}

/** The service checks the values, and names the member that it cannot accept. */
function typedDataOf(given: unknown): TypedData {
  const what = "typedData in the file";
  const { domain, types, primaryType, message } = only(
    given,
    ["domain", "types", "primaryType", "message"],
    what,
  );
  if (!isObject(domain) || !isObject(types) || !isObject(message))
    throw usageError(`${what} must have domain, types and message.`, fileExample);
  return { domain, types, primaryType: text(primaryType, "typedData.primaryType"), message };
}

/** The service checks the values of each call, and names the member that it cannot accept. */
function batchOf(given: unknown): Batch {
  const what = "calls in the file";
  const known = ["version", "chainId", "from", "atomicRequired", "calls"];
  const { version, chainId, from, atomicRequired, calls } = only(given, known, what);
  if (typeof atomicRequired !== "boolean" || !Array.isArray(calls))
    throw usageError(`${what} must have atomicRequired, true or false, and a list of calls.`, fileExample);
  return {
    ...(version === undefined ? {} : { version: text(version, "calls.version") }),
    chainId: typeof chainId === "number" ? chainId : text(chainId, "calls.chainId"),
    from: readAddress(text(from, "calls.from"), "calls.from"),
    atomicRequired,
    calls: calls as Batch["calls"],
  };
}

const safeMembers = [
  ...["chainId", "safe", "to", "value", "data", "operation", "safeTxGas", "baseGas", "gasPrice"],
  ...["gasToken", "refundReceiver", "nonce"],
];

/** The service checks the values, and names the member that it cannot accept. */
const safeTransactionOf = (given: unknown): SafeTransaction =>
  only(given, safeMembers, "safeTransaction in the file") as SafeTransaction;

/** The service checks the values, and names the member that it cannot accept. */
function authorizationOf(given: unknown): readonly [AuthorizationTuple] {
  const what = "authorizationList in the file";
  const [tuple, ...others] = Array.isArray(given) ? (given as unknown[]) : [];
  if (tuple === undefined || others.length > 0)
    throw usageError(`${what} must be a list of exactly one authorization.`, fileExample);
  return [only(tuple, ["chainId", "address", "nonce"], what) as AuthorizationTuple];
}

const operationMembers = [
  ...["chainId", "entryPoint", "entryPointVersion", "sender", "nonce", "factory", "factoryData"],
  ...["callData", "callGasLimit", "verificationGasLimit", "preVerificationGas", "maxFeePerGas"],
  ...["maxPriorityFeePerGas", "paymaster", "paymasterVerificationGasLimit", "paymasterPostOpGasLimit"],
  "paymasterData",
];

/** The service checks the values, and names the member that it cannot accept. */
const userOperationOf = (given: unknown): UserOperation =>
  only(given, operationMembers, "userOperation in the file") as UserOperation;

function membersOf(contextLogs: unknown): Members {
  if (!isObject(contextLogs)) throw usageError("contextLogs in the file must be an object.", fileExample);
  return contextLogs;
}

function wholeNumber(value: unknown, name: string): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value <= 0)
    throw usageError(`${name} in the file must be a positive integer.`, fileExample);
  return value;
}
