/**
 * Reads a text to be signed (EIP-191). It moves nothing on a chain, but someone who accepts it may: a contract that takes the hash of
 * the text, or a site that takes it as an order. Only plain words and sign-ins are read.
 */
import { unreadable, type Effect } from "../effects.ts";
import type { Proposal } from "../proposal.ts";
import type { DraftChoice } from "../protocol.ts";
import type { Registry } from "../registry.ts";
import { makeEffect, type Origin } from "./make-effect.ts";
import { whyItMayMove } from "./may-move.ts";
import { parseSignIn, type SignIn } from "./parse-sign-in.ts";

const MESSAGE = "proposed_tx.personal_message";

const origin: Origin = {
  where: MESSAGE,
  nodes: [],
  prefix: "",
  target: null,
  sender: "self",
  isSelf: () => false,
  isOwnContract: () => false,
  protocol: "eip191",
  function: "personal_sign",
  venue: null,
  knowledge: "standard",
};

const refused = (why: string): Effect =>
  makeEffect({ ...origin, knowledge: "none" }, { act: "opaque", terms: { faults: [unreadable(why)] } });

const textOf = (message: string, known: boolean): DraftChoice => ({
  ...{ what: "message", value: message, known, at: "personal_message" },
});

type Given = Pick<Proposal, "actor" | "chain" | "now">;

export function readMessage(message: string, given: Given, registry: Registry): Effect {
  const parsed = parseSignIn(message);
  if (parsed === null) {
    const why = whyItMayMove(message, registry);
    return why === null
      ? makeEffect(origin, { act: "sign", choices: [textOf(message, false)] })
      : refused(`someone who accepts the text could move money with it: ${why}`);
  }
  const why = "fault" in parsed ? parsed.fault : whyNotHarmless(parsed, given, registry);
  if (why !== null || "fault" in parsed) return refused(`the sign-in cannot be relied on: ${why ?? ""}`);
  return makeEffect(origin, {
    act: "sign_in",
    choices: [{ what: "site", value: parsed.site, known: false, at: "domain" }, textOf(message, true)],
  });
}

const host =
  /^(?:(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}|localhost|127\.0\.0\.1)(?::\d{1,5})?$/;

function whyNotHarmless(
  { site, address, statement, uri, chainId, expires, others }: SignIn,
  { actor, chain, now }: Given,
  registry: Registry,
): string | null {
  if (!host.test(site) || site.includes("xn--")) return "its site is not a plain name";
  if (!isOf(uri, site)) return "its URI belongs to another site";
  if (actor !== null && address !== actor) return "it is for another account";
  if (chainId !== BigInt(chain.id)) return "it is for another chain";
  if (expires !== null && expires <= now) return "it has expired";
  if (others.length > 0) return `it has ${others.join(" and ")}, whose meaning only the site knows`;
  const why = statement === null ? null : whyItMayMove(statement, registry);
  return why === null ? null : `in its statement, ${why}`;
}

function isOf(uri: string, site: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, host: of, username, password } = new URL(uri);
  const isPlain = username === "" && password === "" && ["https:", "http:"].includes(protocol);
  return isPlain && of === site;
}
