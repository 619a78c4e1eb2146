/** Reads a caller's JSON into a Proposal: one form for everything to be signed, with a list of all defects. */
import type { Defect, Gas, Proposal } from "../proposal.ts";
import type { Registry } from "../registry.ts";
import { readCalls } from "./calls.ts";
import { readBalances, readPrices, readTokens } from "./holdings.ts";
import { readParties } from "./parties.ts";
import { contextPlaces, readActor, readChain, readJurisdiction, readNow, type Place } from "./places.ts";
import type { ValidateRequest } from "./schema.ts";
import { collectTexts } from "./texts.ts";
import { findDomainChain, readTypedData } from "./typed-data.ts";
import { asObject, member, readQuantity, type Json, type Notes } from "./values.ts";

export type Given = {
  /** Unix seconds by our clock, used if the caller sends no time. */
  readonly now: bigint;
  readonly registry: Registry;
};

/** Returns the proposal. Malformed parts become defects. Never throws. */
export function readRequest(body: ValidateRequest, { now, registry }: Given): Proposal {
  const request = asObject(body) ?? {};
  const transaction = asObject(member(request, "proposed_tx")) ?? {};
  const defects: Defect[] = [];
  const notes: Notes = { defects };
  const { calls, authorizations, holders } = readCalls(transaction, "proposed_tx", notes);
  const contexts = contextPlaces(member(request, "metadata"), transaction);
  // Each list entry may have its own sender and chain. All of them must agree with the request's.
  const places: readonly Place[] = [...contexts, ...holders];
  const chain = readChain(places, findDomainChain(holders), { notes, registry });
  const typedData = readTypedData(holders, chain.id, notes);
  const message = readMessage(transaction, notes);
  const isUnreadable = defects.some(({ check }) => check === "typed_data_wellformed");
  if (calls.length + authorizations.length === 0 && (typedData ?? message) === null && !isUnreadable) {
    defects.push({
      check: "payload_present",
      at: "proposed_tx",
      found: "nothing to sign",
      expected: "a transaction, a list of transactions, an order, a message, or an authorization list",
    });
  }
  return {
    words: readText(request["human_intent"], notes),
    calls,
    typedData,
    message,
    authorizations,
    chain,
    actor: readActor(places, notes),
    now: readNow(contexts, now, notes),
    gas: readGas(transaction, notes),
    protocolHint: readHint(transaction),
    context: readContext(contexts, transaction, { chain: chain.id, registry, notes }),
    defects,
  };
}

/** A text that was cut off would be another one, so it is not read at all. */
function readMessage(transaction: Json, { defects }: Notes): string | null {
  const given = member(transaction, "personal_message");
  if (typeof given !== "string" || given === "") return null;
  if (given.length <= mostCharacters) return given;
  defects.push({
    check: "payload_present",
    at: "proposed_tx.personal_message",
    found: `${given.length} characters`,
    expected: `at most ${mostCharacters} characters`,
  });
  return null;
}

/** No person writes a longer request, and the cost of reading grows with the length. */
const mostCharacters = 20_000;

/** Cuts off a text that is too long and reports a defect, so that the part that was not read cannot pass. */
function readText(given: unknown, { defects }: Notes): string {
  const words = typeof given === "string" ? given : "";
  if (words.length <= mostCharacters) return words;
  defects.push({
    check: "payload_present",
    at: "human_intent",
    found: `${words.length} characters`,
    expected: `at most ${mostCharacters} characters`,
  });
  return words.slice(0, mostCharacters);
}

function readContext(
  contexts: readonly Place[],
  transaction: Json,
  ground: { readonly chain: number; readonly registry: Registry; readonly notes: Notes },
): Proposal["context"] {
  const places = [...contexts, { at: "proposed_tx", object: transaction }];
  const metadata = contexts.filter(({ at }) => at === "metadata");
  return {
    ...readParties(places, ground.notes),
    balances: readBalances(places, ground),
    prices: readPrices(places, ground),
    tokens: readTokens(places, ground),
    jurisdiction: readJurisdiction(contexts, ground.notes),
    texts: collectTexts(
      [
        ...metadata.map(({ at, object }) => ({ at, value: object })),
        { at: "proposed_tx", value: transaction },
      ],
      ground.notes,
    ),
  };
}

const gasKeys = {
  limit: ["gas", "gasLimit", "gas_limit"],
  price: ["gasPrice", "gas_price"],
  maxFee: ["maxFeePerGas", "max_fee_per_gas"],
  priorityFee: ["maxPriorityFeePerGas", "max_priority_fee_per_gas"],
} as const;

function readGas(transaction: Json, notes: Notes): Gas {
  const read = (keys: readonly string[]): bigint | null => {
    const key = keys.find((name) => member(transaction, name) !== undefined);
    if (key === undefined) return null;
    return readQuantity(member(transaction, key), `proposed_tx.${key}`, notes, "gas_sane");
  };
  return {
    limit: read(gasKeys.limit),
    price: read(gasKeys.price),
    maxFee: read(gasKeys.maxFee),
    priorityFee: read(gasKeys.priorityFee),
  };
}

function readHint(transaction: Json): string | null {
  const hint = member(transaction, "protocol");
  return typeof hint === "string" ? hint : null;
}
