import { z } from "zod";
import { requestErrors } from "@countersign/platform/errors";
import { credential, perIp, route, type Route } from "@countersign/platform/http";
import type { Hex } from "@countersign/wire";
import { Nudge } from "@countersign/wire/nudge";
import type { WaitingRoom } from "./waiting-room.ts";

const Taken = z.object({ requestHash: z.string(), status: z.literal("accepted") }).meta({ id: "NudgeTaken" });

type Parts = {
  readonly room: WaitingRoom;
  /** Starts the verification of a request. Idempotent. */
  readonly start: (requestHash: Hex) => Promise<void>;
};

/** 202 means that the engine has it, or had it before. */
async function take({ room, start }: Parts, nudge: Nudge): Promise<void> {
  // First, because the flow may look for it before the engine has answered.
  room.put(nudge);
  try {
    await start(nudge.requestHash);
  } catch (error) {
    throw requestErrors.notReady({ cause: error, headers: { "Retry-After": "5" } });
  }
}

export const nudgeRoutes = (parts: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/nudges",
    summary: "Announce a proposal to verify",
    description:
      "A hint that may be repeated or lost. 503 while the engine is down: send the same nudge later.",
    tag: "Nudges",
    auth: credential("nudgeToken"),
    limit: [perIp(3000)],
    body: Nudge,
    replies: { 202: Taken },
    refuses: [requestErrors.notReady],
    handle: async ({ body }) => {
      await take(parts, body);
      return { status: 202 as const, body: { requestHash: body.requestHash, status: "accepted" as const } };
    },
  }),
];
