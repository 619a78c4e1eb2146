import { z } from "zod";
import { ok, open, perIp, route, type Route } from "@countersign/platform/http";
import { cosignErrors, type makeAnswerCosigner } from "./index.ts";

type Parts = {
  readonly answerCosigner: ReturnType<typeof makeAnswerCosigner>;
  readonly questionsPerMinute: number;
};

/** The largest call that can be proposed, twice over in hexadecimal, with room for what else they say. */
const bodyLimitBytes = 1024 * 1024;

export const cosignRoutes = ({ answerCosigner, questionsPerMinute }: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/custody/cosigner/{integrationId}/v2/tx_sign_request",
    summary: "Asked by a custodian's co-signer before it signs",
    description:
      "The body is a JWT, signed (RS256) with the key that the integration names as its co-signer's: that is the credential. The answer is a JWT of ours: `action` is `APPROVE` only if the raw transaction in the question is, to the byte, one that is approved now and was not signed before; otherwise `REJECT` with a `rejectionReason`, or `RETRY`.",
    tag: "Custody",
    auth: open,
    limit: [perIp(questionsPerMinute)],
    params: z.object({ integrationId: z.string() }),
    text: true,
    bodyLimitBytes,
    body: z.string().meta({ description: "A JWT, whatever the content type says" }),
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
