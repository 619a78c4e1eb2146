import { formatUnits } from "viem/utils";
import { z } from "zod";
import { totalsOf } from "./moves.ts";
import type { Decision, Outcome, Replay } from "./replay.ts";
import { Span } from "./span.ts";
import { assetKey, type Terms } from "./terms.ts";

const OutcomeView = z.enum(["allowed", "asked", "denied"]);
const CountsView = z.object({
  allowed: z.number().meta({ description: "Approved without the owner." }),
  asked: z.number(),
  denied: z.number().meta({ description: "Denied by the owner's policy when the verdict took effect." }),
});

const PeakView = z.object({
  measure: z.string(),
  span: Span,
  seconds: z.number(),
  most: z.string(),
  used: z.string().meta({ description: "The most that was in use at once, in whole tokens." }),
  at: z.iso.datetime().nullable().meta({ description: "When. Null if nothing was." }),
});

const TotalView = z.object({
  asset: z.string(),
  allowed: z.string(),
  asked: z.string(),
});

const DecisionView = z.object({
  requestHash: z.string(),
  at: z.iso.datetime().meta({ description: "When the verdict took effect." }),
  description: z.string().meta({ description: "The request, at most 200 characters." }),
  outcome: OutcomeView,
  from: OutcomeView.nullable().meta({
    description: "The outcome under the mandate that it is compared with. Null without such a mandate.",
  }),
  reason: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .meta({ description: "As `needsOwner` of a transaction. Null if it is allowed." }),
  left: z.array(z.string()).meta({
    description: "The room in each limit afterwards, in whole tokens, in the order of the limits.",
  }),
});

export const PreviewView = z
  .object({
    since: z.iso.datetime(),
    transactions: z.number().meta({ description: "How many past transactions were looked at." }),
    complete: z.boolean().meta({ description: "False if there are more, older ones in this time." }),
    counts: CountsView,
    before: CountsView.nullable().meta({
      description: "The same for the mandate that it is compared with. Null without such a mandate.",
    }),
    totals: z.array(TotalView).meta({ description: "The sums of each asset of the draft, in whole tokens." }),
    limits: z.array(PeakView).meta({ description: "The highest use of each limit, in their order." }),
    decisions: z.array(DecisionView).meta({ description: "Newest first." }),
  })
  .meta({
    id: "MandatePreview",
    description: "What a mandate would have allowed and asked about among past transactions.",
  });

const shownCharacters = 200;

/** Cut between characters, so that none is halved. */
const cut = (text: string): string => {
  const characters = Array.from(text);
  return characters.length <= shownCharacters
    ? text
    : `${characters.slice(0, shownCharacters - 1).join("")}…`;
};

const countsOf = ({ decisions }: Replay): z.infer<typeof CountsView> => {
  const of = (wanted: Outcome): number => decisions.filter(({ outcome }) => outcome === wanted).length;
  return { allowed: of("allowed"), asked: of("asked"), denied: of("denied") };
};

function totalsView({ assets, limits }: Terms, { decisions }: Replay): z.infer<typeof TotalView>[] {
  return assets.map((asset) => {
    const decimals = limits.find(({ measure }) => assetKey(measure) === assetKey(asset))?.decimals ?? 0;
    const sum = (wanted: Outcome): string =>
      formatUnits(
        decisions
          .filter(({ outcome }) => outcome === wanted)
          .reduce((all, { past }) => all + (totalsOf(past.moves ?? []).get(assetKey(asset)) ?? 0n), 0n),
        decimals,
      );
    return { asset, allowed: sum("allowed"), asked: sum("asked") };
  });
}

const peaksView = ({ limits }: Terms, { peaks }: Replay): z.infer<typeof PeakView>[] =>
  limits.map(({ measure, span, seconds, most, decimals }, position) => ({
    ...{ measure, span, seconds, most },
    used: formatUnits(peaks[position]?.used ?? 0n, decimals),
    at: peaks[position]?.at?.toISOString() ?? null,
  }));

const decisionView = (
  { limits }: Terms,
  { past, outcome, reason, left }: Decision,
  from: Outcome | undefined,
): z.infer<typeof DecisionView> => ({
  ...{ requestHash: past.requestHash, at: past.at.toISOString(), description: cut(past.description) },
  ...{ outcome, from: from ?? null },
  reason: reason && { code: reason.code, message: reason.message },
  left: limits.map(({ decimals }, position) => formatUnits(left[position] ?? 0n, decimals)),
});

type Previewed = {
  readonly terms: Terms;
  readonly since: Date;
  readonly ran: Replay;
  readonly before: Replay | undefined;
  /** Whether there may be more transactions than were read. */
  readonly isCut: boolean;
};

export function previewView({ terms, since, ran, before, isCut }: Previewed): z.infer<typeof PreviewView> {
  return {
    since: since.toISOString(),
    transactions: ran.decisions.length,
    complete: !isCut,
    counts: countsOf(ran),
    before: before === undefined ? null : countsOf(before),
    totals: totalsView(terms, ran),
    limits: peaksView(terms, ran),
    decisions: ran.decisions
      .map((decision, index) => decisionView(terms, decision, before?.decisions[index]?.outcome))
      .reverse(),
  };
}
