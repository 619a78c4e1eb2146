/** A proposal → everything the checks may look at. A part that breaks leaves its facts out, and nothing is vouched for. */
import { isAddress } from "viem/utils";
import { readBytes } from "../bytes/read-bytes.ts";
import { entail } from "../entail/entail.ts";
import { slots, type Comparison, type Entailment, type Slot } from "../entailment.ts";
import type { Facts, Hint, WordsAddress } from "../facts.ts";
import type { Proposal } from "../proposal.ts";
import { readWords } from "../words/read-words.ts";
import { findBeneficiaries } from "./beneficiaries.ts";
import { describeContracts } from "./contracts.ts";
import { groupEffects } from "./group-effects.ts";
import type { Engine } from "./engine.ts";

export function establishFacts(proposal: Proposal, engine: Engine, toldNow: boolean): Partial<Facts> {
  const { registry, protocols, policy, log } = engine;
  const attempt = <T>(part: string, run: () => T): T | undefined => {
    try {
      return run();
    } catch (error) {
      log.error("a part of reading failed", { step: part, error });
      return undefined;
    }
  };
  const reading = attempt("bytes", () => readBytes(proposal, { registry, protocols }));
  const intent = attempt("words", () => readWords(proposal.words, engine.lexicon));
  const entailment =
    reading === undefined || intent === undefined
      ? undefined
      : attempt("entailment", () => entail({ proposal, intent, reading, registry, protocols, policy }));
  return present({
    ...aboutContext(proposal, engine),
    ...compared(entailment),
    proposal,
    registry,
    policy,
    reading,
    intent,
    entailment,
    toldNow,
    ...(reading === undefined ? {} : groupEffects(reading.effects)),
    beneficiaries: reading === undefined ? undefined : some(findBeneficiaries(reading, proposal)),
    contracts: describeContracts(protocols, proposal.chain.id),
    hint: readHint(proposal, engine),
    wordsAddresses: findAddresses(proposal.words),
  });
}

/** Facts without the undefined ones, as a check may ask which are there. */
type Maybe = { readonly [Name in keyof Facts]?: Facts[Name] | undefined };

const present = (facts: Maybe): Partial<Facts> =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));

const some = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);

function aboutContext({ context, chain }: Proposal, { lists, registry }: Engine): Maybe {
  const history = [...context.known, ...context.counterparties.map((address) => ({ address, label: null }))];
  return {
    history: some(history),
    balances: context.balances ?? undefined,
    prices: context.prices ?? undefined,
    jurisdiction: context.jurisdiction ?? undefined,
    claimedTokens: some(context.tokens),
    sanctions: lists.sanctions ?? undefined,
    scams: lists.scams ?? undefined,
    blockedProtocols: lists.blockedProtocols ?? undefined,
    usd: (asset, units) => {
      if (context.prices === null || asset.kind === "nft" || asset.kind === "unsaid") return null;
      const known = asset.kind === "native" ? null : registry.token(chain.id, asset.address);
      const coin = registry.chain(chain.id)?.coin;
      const symbol = asset.kind === "native" ? coin : known?.symbol;
      const price = symbol === undefined ? undefined : context.prices.get(symbol.toUpperCase());
      if (price === undefined) return null;
      return (Number(units) / 10 ** (known?.decimals ?? 18)) * price;
    },
  };
}

const names = Object.fromEntries(slots.map((slot) => [slot, `compared.${slot}`])) as Readonly<
  Record<Slot, string>
>;

const compared = (entailment: Entailment | undefined): Maybe => {
  const found: Record<string, Comparison[]> = {};
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

/** Every address in the words, capitals judged by EIP-55. One case throughout carries no checksum. */
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
