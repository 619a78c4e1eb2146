import type { Readable } from "node:stream";
import { ok, perCaller, perIp, route, type Route } from "@countersign/platform/http";
import { z } from "zod";
import { jwt } from "../sign-in/index.ts";
import { exportErrors } from "./errors.ts";
import type { makeOpenExport } from "./open-export.ts";

type Parts = { readonly openExport: ReturnType<typeof makeOpenExport> };

const perMinute = 5;

export const exportRoutes = ({ openExport }: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/export",
    summary: "Export my data",
    description:
      "Everything that the service stores about the account, as one JSON object per line: {kind, data}. Kinds: export, account, settings, session, apiKey, oauthGrant, pgpKey, wallet, custodian, walletProvider, contact, channel, agentPause, mandate, mandateRequest, policy, event, proposal, receipt and end. `countersign verify` checks the data of a receipt. Secrets are not part of it. The last line is of the kind end and has the number of lines before it; without it the export is incomplete. One at a time for each account.",
    tag: "Users",
    auth: jwt,
    limit: [perIp(perMinute), perCaller("jwt", perMinute)],
    replies: { 200: z.custom<Readable>().meta({ contentType: "application/x-ndjson" }) },
    refuses: [exportErrors.underWay],
    handle: async ({ caller: { account }, stillHolds }) =>
      ok(await openExport({ account, stillHolds }), {
        "Cache-Control": "no-store",
        "Content-Disposition": 'attachment; filename="countersign-export.ndjson"',
        "X-Accel-Buffering": "no",
      }),
  }),
];
