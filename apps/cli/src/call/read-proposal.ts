// Reads a request and a call from options, or from a document in the API's format.
import type { Call, Hex, TypedData } from "@countersign/sdk";
import type { Context } from "../context.ts";
import { usageError } from "../errors.ts";
import { readSpan } from "../render/times.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { readAddress, readBytes, readCall, readValue, type CallOptions } from "./read-call.ts";
import { readDocument } from "./read-document.ts";

export type Asked = Terms & (AskedCall | AskedSignature);
type AskedCall = { readonly tx: Call; readonly typedData?: never };
type AskedSignature = { readonly typedData: TypedData; readonly tx?: never };

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

/** Without typedData, which has the members of eth_signTypedData_v4. */
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
  const known = ["userPrompt", "tx", "typedData", "chainId", "escrowAddress", "deadline", "contextLogs"];
  const { userPrompt, tx, typedData, chainId, escrowAddress, deadline, contextLogs } = only(
    value,
    known,
    "The file",
  );
  if (tx !== undefined && typedData !== undefined)
    throw usageError("The file must have either tx or typedData, not both.", fileExample);
  return {
    words: text(userPrompt, "userPrompt"),
    ...(typedData === undefined ? { tx: callOf(tx) } : { typedData: typedDataOf(typedData) }),
    ...(chainId === undefined ? {} : { chainId: wholeNumber(chainId, "chainId") }),
    ...(escrowAddress === undefined
      ? {}
      : { escrowAddress: readAddress(text(escrowAddress, "escrowAddress"), "escrowAddress") }),
    ...(deadline === undefined ? {} : { deadline: new Date(wholeNumber(deadline, "deadline") * 1000) }),
    ...(contextLogs === undefined ? {} : { contextLogs: membersOf(contextLogs) }),
  };
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

function membersOf(contextLogs: unknown): Members {
  if (!isObject(contextLogs)) throw usageError("contextLogs in the file must be an object.", fileExample);
  return contextLogs;
}

function wholeNumber(value: unknown, name: string): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value <= 0)
    throw usageError(`${name} in the file must be a positive integer.`, fileExample);
  return value;
}
