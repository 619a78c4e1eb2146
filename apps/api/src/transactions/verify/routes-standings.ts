import { z } from "zod";
import { ok, perIp, route, type Route } from "@countersign/platform/http";
import { apiKey, isServerKeyType } from "../../api-keys/index.ts";
import { transactionErrors } from "../errors.ts";
import type { Hex } from "../transaction.ts";
import type { ReadStandings } from "./standings.ts";

type Parts = {
  readonly readStandings: ReadStandings;
  /** Per IP address. */
  readonly readsPerMinute: number;
};

/** As many as orion verifies at a time, with room. */
const mostAtOnce = 200;

const RequestHashes = z.object({
  requestHashes: z
    .array(z.string().regex(/^0x[0-9a-f]{64}$/, "must be a request hash in lower case"))
    .min(1)
    .max(mostAtOnce),
});

const Verification = z
  .object({
    requestHash: z.string(),
    status: z.enum(["unknown", "open", "decided"]),
    attestation: z.unknown().meta({ description: "The signed verdict. Null if there is none." }),
    traceparent: z.string().nullable().meta({ description: "The trace that it was proposed in." }),
    executed: z.array(z.object({ to: z.string(), data: z.string() })).meta({
      description:
        "Calls that the account has executed, newest first, except encrypted ones. Of the data only the first 68 bytes.",
    }),
  })
  .meta({ id: "Verification", description: "How far the verification of a proposal has come." });

export const standingsRoutes = ({ readStandings, readsPerMinute }: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/internal/verifications",
    summary: "Read how far verifications have come",
    description: `For ORION and ADMIN keys: of up to ${mostAtOnce} proposals at once, in the order of their request hashes.`,
    tag: "Internal",
    auth: apiKey(),
    limit: [perIp(readsPerMinute)],
    listener: "internal",
    body: RequestHashes,
    replies: { 200: z.object({ verifications: z.array(Verification) }) },
    refuses: [transactionErrors.onlyForServers],
    handle: async ({ body, caller }) => {
      if (!isServerKeyType(caller.type)) throw transactionErrors.onlyForServers();
      const verifications = await readStandings(body.requestHashes as Hex[]);
      return ok({
        verifications: verifications.map(({ executed, ...one }) => ({ ...one, executed: [...executed] })),
      });
    },
  }),
];
