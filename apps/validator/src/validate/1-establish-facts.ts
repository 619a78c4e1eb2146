/**
 * Turns a proposal into the facts for the checks. If a part fails, its facts are absent and nothing can pass on them.
 */
import { isAddress } from "viem/utils";
import { checkpoint, OverBudget } from "../budget.ts";
import { readBytes } from "../bytes/read-bytes.ts";
import { entailByEffect } from "../entail/by-effect/entail-by-effect.ts";
import { entail } from "../entail/entail.ts";
import { findExecutedSwap } from "../entail/simulated-return.ts";
import { worth } from "../entail/worth.ts";
import { slots, type Comparison, type Entailment, type Slot } from "../entailment.ts";
import type { Facts, Hint, WordsAddress } from "../facts.ts";
import type { Proposal } from "../proposal.ts";
import { readWords } from "../words/read-words.ts";
import { findBeneficiaries } from "./beneficiaries.ts";
import { describeContracts } from "./contracts.ts";
import { groupEffects } from "./group-effects.ts";
import type { Engine } from "./engine.ts";
import type { ProposedReading } from "./reader.ts";
import { findStrangers } from "./strangers.ts";

type Given = {
  readonly engine: Engine;
  /** Facts that the state of the request proves. */
  readonly proven: Maybe;
  readonly toldNow: boolean;
  /** A reading of the request that a model proposed. */
  readonly proposed?: ProposedReading | null;
};

export function establishFacts(proposal: Proposal, given: Given): Partial<Facts> {
  const { engine, proven, proposed = null } = given;
  const { registry, protocols, policy, log } = engine;
  const attempt = <T>(part: string, run: () => T): T | undefined => {
    try {
      checkpoint();
      return run();
    } catch (error) {
      if (error instanceof OverBudget) throw error;
      log.error("establishing facts failed", { step: part, error });
      return undefined;
    }
  };
  const reading = attempt("bytes", () => readBytes(proposal, { registry, protocols }));
  const intent = attempt("words", () =>
    readWords(proposal.words, engine.lexicon, labelsOf(proposal), proposed),
  );
  const { simulation, state, engines, names } = proven;
  const world =
    reading === undefined || intent === undefined
      ? undefined
      : { proposal, intent, reading, registry, protocols, policy, simulation, names };
  const entailment = world && attempt("entailment", () => entail(world));
  const executedSwap = world && attempt("executed swap", () => findExecutedSwap(world));
  const read = { reading, intent, entailment, executedSwap };
  // The calldata comes first. If the comparison failed, nothing else may answer the request.
  const measured =
    world === undefined || entailment === undefined
      ? undefined
      : attempt("effect", () => entailByEffect(world, { entailment, state, engines }));
  return gather(proposal, given, { ...read, ...measured });
}

type Compared = {
  readonly [Name in "reading" | "intent" | "entailment" | "executedSwap" | "byEffect"]?:
    Facts[Name] | undefined;
};

function gather(
  proposal: Proposal,
  { engine, proven, toldNow }: Given,
  { reading, intent, entailment, executedSwap, byEffect }: Compared,
): Partial<Facts> {
  const { registry, protocols, policy, contractData } = engine;
  const { simulation } = proven;
  const contracts = describeContracts(protocols, proposal.chain.id);
  const facts: Maybe = {
    ...aboutContext(proposal, engine, simulation),
    ...compared(entailment),
    ...proven,
    proposal,
    registry,
    policy,
    reading,
    intent,
    entailment,
    executedSwap,
    byEffect,
    toldNow,
    ...(reading === undefined ? {} : groupEffects(reading.effects)),
    beneficiaries: reading === undefined ? undefined : some(findBeneficiaries(reading, proposal)),
    contracts,
    strangers: reading && some(findStrangers(reading, { proposal, registry, contracts, simulation })),
    contractData: contractData.size === 0 ? undefined : contractData,
    hint: readHint(proposal, engine),
    wordsAddresses: findAddresses(proposal.words),
  };
  // Omits undefined facts, so that absent and undefined look the same.
  return facts as Partial<Facts>;
}

type Maybe = { readonly [Name in keyof Facts]?: Facts[Name] | undefined };

/** The caller's labels for known addresses. */
const labelsOf = ({ context }: Proposal): readonly string[] => [
  ...context.known.flatMap(({ label }) => (label === null ? [] : [label])),
  ...context.names.keys(),
];

const some = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);

type Simulated = Facts["simulation"] | undefined;

/** The caller describes tokens, and so do the tokens themselves. */
const claimsOf = ({ tokens }: Proposal["context"], simulation: Simulated): Facts["claimedTokens"] => [
  ...tokens,
  ...[...(simulation?.symbols ?? [])].map(([address, symbol]) => ({
    ...{ address, symbol },
    decimals: simulation?.decimals.get(address) ?? null,
  })),
];

function aboutContext(proposal: Proposal, { lists, registry }: Engine, simulation: Simulated): Maybe {
  const { context } = proposal;
  const history = [...context.known, ...context.counterparties.map((address) => ({ address, label: null }))];
  return {
    history: some(history),
    balances: context.balances ?? undefined,
    prices: context.prices ?? undefined,
    jurisdiction: context.jurisdiction ?? undefined,
    claimedTokens: some(claimsOf(context, simulation)),
    sanctions: lists.sanctions ?? undefined,
    scams: lists.scams ?? undefined,
    blockedProtocols: lists.blockedProtocols ?? undefined,
    usd: (asset, units, chain = null) => worth(asset, units, { proposal, registry, chain }),
  };
}

const names = Object.fromEntries(slots.map((slot) => [slot, `compared.${slot}`])) as Readonly<
  Record<Slot, string>
>;

const uncompared: Readonly<Record<string, Comparison[] | undefined>> = Object.fromEntries(
  slots.map((slot) => [names[slot], undefined]),
);

const compared = (entailment: Entailment | undefined): Maybe => {
  const found = { ...uncompared };
  for (const one of entailment?.comparisons ?? []) (found[names[one.slot]] ??= []).push(one);
  return found;
};

function readHint({ protocolHint }: Proposal, { protocols }: Engine): Hint {
  if (protocolHint === null) return { said: "", venue: null };
  const phrase = protocolHint
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, " ")
    .trim();
  return { said: protocolHint, venue: protocols.venueNamed(phrase) };
}

/** Returns every address in the request and whether its EIP-55 checksum is correct. An address in one case has none. */
function findAddresses(words: string): readonly WordsAddress[] {
  return [...words.matchAll(/(?<![0-9a-zA-Z])0[xX][0-9a-fA-F]{40}(?![0-9a-zA-Z])/g)].map(
    ({ 0: text, index }) => {
      const digits = text.slice(2);
      const isMixed = /[a-f]/.test(digits) && /[A-F]/.test(digits);
      return {
        address: `0x${digits.toLowerCase()}`,
        text,
        span: [index, index + text.length],
        checksum: !isMixed ? "absent" : isAddress(`0x${digits}`, { strict: true }) ? "right" : "wrong",
      };
    },
  );
}
