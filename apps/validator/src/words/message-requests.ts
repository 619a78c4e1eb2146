/**
 * Requests to sign a text: a sign-in to a site, or exactly a text that the request contains. The whole request must have this form,
 * because the text in it may hold any words, and none of them is part of the request.
 */
import type { Act, Intent, Step } from "../intent.ts";

type Found = Pick<Step, "acts"> & { readonly signing: NonNullable<Step["signing"]> };

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const site = String.raw`(?<site>(?:${label}\.){1,8}[a-z]{2,63}|localhost)(?<port>:\d{1,5})?`;
const place = String.raw`(?:https:\/\/)?${site}\/?`;

/** A sign-in, in the languages of the validator. */
const signIns: readonly RegExp[] = [
  String.raw`(?:please )?(?:sign|log)(?: me)?[ -]?in(?:to| to| at| on)? ${place}(?: with (?:my wallet|ethereum))?`,
  String.raw`(?:por favor,? )?inici(?:a|ar|e) sesi[oó]n en ${place}`,
  String.raw`(?:por favor,? )?(?:entr(?:a|ar|e)|fa[zç]a? login) (?:em|no|na) ${place}`,
  String.raw`(?:s['’]il (?:te|vous) pla[iî]t,? )?connecte(?:z)?(?:-moi)? (?:à|sur) ${place}`,
  String.raw`(?:bitte )?melde (?:mich|dich) bei ${place} an`,
  String.raw`(?:请)?(?:登录|登入)(?:到)? ?${place}`,
].map((pattern) => new RegExp(`^${pattern} ?[.!。]?$`, "iu"));

/** A text to be signed as it is: in quotation marks, or all that follows a colon. */
const exactly: readonly RegExp[] = [
  String.raw`(?:please )?sign (?:exactly )?(?:the|this)(?: following)? (?:message|text)(?: exactly)?`,
  String.raw`(?:por favor,? )?firm(?:a|ar|e) (?:exactamente )?(?:el|este)(?: siguiente)? (?:mensaje|texto)`,
  String.raw`(?:por favor,? )?assin(?:a|ar|e) (?:exatamente )?(?:a|o|esta|este)(?: seguinte)? (?:mensagem|texto)`,
  String.raw`signe(?:z)? (?:exactement )?(?:le|ce)(?: suivant)? (?:message|texte)(?: suivant)?`,
  String.raw`(?:bitte )?(?:unterschreibe?|signiere?) (?:genau )?(?:die|diese|den|diesen)(?: folgende[n]?)? (?:nachricht|text)`,
  String.raw`(?:请)?签署(?:这条|以下|此)?(?:消息|文本)`,
].map(
  (pattern) =>
    new RegExp(
      String.raw`^${pattern}(?: ?[:：]?\s{0,3}(?:"(?<plain>[^"]+)"|“(?<round>[^“”]+)”|«\s?(?<angled>[^«»]+)»|„(?<low>[^„“]+)“) ?[.。]?|[:：]\s{0,3}(?<rest>[^"“«„\s][^]*))$`,
      "iu",
    ),
);

function findSigning(text: string): Found | null {
  const groupsOf = (patterns: readonly RegExp[]): Partial<Record<string, string>> | undefined =>
    patterns.map((pattern) => pattern.exec(text)?.groups).find((groups) => groups !== undefined);
  const asked = groupsOf(signIns);
  if (asked !== undefined)
    return {
      acts: ["sign_in"],
      signing: { site: `${asked["site"] ?? ""}${asked["port"] ?? ""}`.toLowerCase() },
    };
  const { rest, ...quoted } = groupsOf(exactly) ?? {};
  const message = rest ?? Object.values(quoted).find((part) => part !== undefined);
  return message === undefined
    ? null
    : { acts: ["sign", "sign_in"], signing: { message, isQuoted: rest === undefined } };
}

const nothing = {
  ...{ gives: [], gets: [], to: [], from: null, spender: null, onBehalfOf: null, venues: [], chain: null },
  ...{ toChain: null, slippageBps: null, limitPrice: null, deadline: null, gas: null, partialFill: null },
  ...{ admin: null, fee: null, conditions: [] },
} as const;

const verbs: Readonly<Partial<Record<Act, string>>> = { sign: "Sign", sign_in: "Sign in" };

/** Returns the request as an intent of one step, or null if it is not one to sign a text. */
export function readMessageRequest(
  text: string,
): Pick<Intent, "steps" | "negations" | "tokens" | "ambiguities" | "notARequest"> | null {
  const found = findSigning(text.trim());
  if (found === null) return null;
  const span = [0, text.length] as const;
  const [act = "sign"] = found.acts;
  const verb = { word: verbs[act] ?? "Sign", span };
  return {
    steps: [{ ...nothing, ...found, verb, span }],
    ...{ negations: [], tokens: [], ambiguities: [], notARequest: null },
  };
}
