import { formatUnits } from "viem/utils";
import { z } from "zod";
import { Span } from "./span.ts";
import type { MandateRequest } from "./store/requests.ts";
import type { Mandate, Used } from "./store/mandates.ts";
import { unitsOf, type Terms } from "./terms.ts";

const ShownLimit = z.object({
  measure: z.string(),
  span: Span,
  seconds: z.number(),
  most: z.string(),
  decimals: z.number(),
});

/** The members that the owner chooses. */
const chosen = {
  agent: z.string(),
  purpose: z.string(),
  acts: z.array(z.string()),
  assets: z.array(z.string()),
  recipients: z.array(z.string()),
  limits: z.array(ShownLimit),
};

export const TermsView = z
  .object({
    account: z.string(),
    homeChainId: z.number(),
    inbox: z.string(),
    ...chosen,
    validFrom: z.number(),
    validUntil: z.number(),
    nonce: z.string(),
  })
  .meta({ id: "MandateTerms", description: "A mandate exactly as the owner's wallet signs it." });

const LimitUse = z
  .object({
    measure: z.string(),
    span: Span,
    seconds: z.number(),
    most: z.string(),
    windowStart: z.iso.datetime().meta({
      description: "When the current window began. For a rolling interval: `seconds` ago.",
    }),
    reserved: z.string().meta({ description: "Approved and not executed yet, in whole tokens." }),
    spent: z.string().meta({ description: "Executed." }),
    left: z.string(),
  })
  .meta({
    id: "MandateLimitUse",
    description: "A limit and its use in the current window, in whole tokens.",
  });

export const MandateView = z
  .object({
    id: z.uuid(),
    agent: z.string(),
    status: z.enum(["SCHEDULED", "ACTIVE", "EXPIRED", "REVOKED"]),
    terms: TermsView,
    digest: z.string().meta({ description: "The EIP-712 digest that was signed." }),
    signature: z.string(),
    limits: z.array(LimitUse),
    createdAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "Mandate", description: "A standing permission of an owner for one agent, and its use." });

function limitUse(limit: Terms["limits"][number], used: Used | undefined): z.infer<typeof LimitUse> {
  const { measure, span, seconds, most, decimals } = limit;
  const [reserved, spent] = [BigInt(used?.reserved ?? 0), BigInt(used?.spent ?? 0)];
  const left = unitsOf(limit) - reserved - spent;
  return {
    ...{ measure, span, seconds, most },
    windowStart: (used?.windowStart ?? new Date(0)).toISOString(),
    reserved: formatUnits(reserved, decimals),
    spent: formatUnits(spent, decimals),
    left: formatUnits(left > 0n ? left : 0n, decimals),
  };
}

export const mandateView = (mandate: Mandate, used: readonly Used[] = []): z.infer<typeof MandateView> => ({
  id: mandate.id,
  agent: mandate.agent,
  status: mandate.status,
  terms: mandate.terms,
  digest: mandate.digest,
  signature: mandate.signature,
  limits: mandate.terms.limits.map((limit, position) => limitUse(limit, used[position])),
  createdAt: mandate.createdAt.toISOString(),
  endedAt: mandate.endedAt?.toISOString() ?? null,
});

export const RequestView = z
  .object({
    id: z.uuid(),
    agent: z.string(),
    draft: z.object({ ...chosen, validFrom: z.number().optional(), validUntil: z.number() }),
    createdAt: z.iso.datetime(),
  })
  .meta({
    id: "MandateRequest",
    description: "A mandate that an agent asks its owner for. It grants nothing.",
  });

export const requestView = ({
  id,
  agent,
  draft,
  createdAt,
}: MandateRequest): z.infer<typeof RequestView> => ({
  id,
  agent,
  draft,
  createdAt: createdAt.toISOString(),
});
