import { z } from "zod";
import { ok, open, perIp, route, type Route } from "@countersign/platform/http";
import { cosignErrors, type makeAnswerCosigner } from "./index.ts";

type Parts = {
  readonly answerCosigner: ReturnType<typeof makeAnswerCosigner>;
  readonly questionsPerMinute: number;
};

/** The largest call that can be proposed, twice in hexadecimal, with room for the rest. */
const bodyLimitBytes = 1024 * 1024;

export const cosignRoutes = ({ answerCosigner, questionsPerMinute }: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/custody/cosigner/{integrationId}/v2/tx_sign_request",
    summary: "Answer a custodian's co-signer",
    description:
      "The body is a JWT, signed (RS256) with the co-signer key of the integration, which is the credential. The answer is our JWT: `action` is `APPROVE` only if the raw transaction in the request is, to the byte, one that is approved now and was not signed before; otherwise `REJECT` with a `rejectionReason`, or `RETRY`.",
    tag: "Custody",
    auth: open,
    limit: [perIp(questionsPerMinute)],
    params: z.object({ integrationId: z.string() }),
    text: true,
    bodyLimitBytes,
    body: z.string().meta({ description: "A JWT, with any content type" }),
    replies: {
      200: z.string().meta({
        description: "A JWT: `{action, requestId, rejectionReason?}`",
        contentType: "application/jwt",
      }),
    },
    refuses: [cosignErrors.malformed, cosignErrors.unproven, cosignErrors.noIntegration],
    handle: async ({ params: { integrationId }, body }) => ok(await answerCosigner(integrationId, body)),
  }),
];
