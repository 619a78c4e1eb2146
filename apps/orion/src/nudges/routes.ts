import { z } from "zod";
import { requestErrors } from "@countersign/platform/errors";
import { credential, perIp, route, type Route } from "@countersign/platform/http";
import type { Hex } from "@countersign/wire";
import { digestOfCid } from "@countersign/wire/envelope";
import { Nudge, Nudges, RootNudge } from "@countersign/wire/nudge";
import type { RecordedRoot } from "../adapters/inbox/index.ts";
import type { WaitingRoom } from "./waiting-room.ts";

/** One proposal, several, or all those of a recorded root. */
const Body = z.union([Nudge, Nudges, RootNudge]);
type Body = z.output<typeof Body>;

const Taken = z
  .object({ status: z.literal("accepted"), requestHash: z.string().optional() })
  .meta({ id: "NudgeTaken" });

type Parts = {
  readonly room: WaitingRoom;
  /** Starts the verification of a request. Idempotent. */
  readonly start: (requestHash: Hex) => Promise<void>;
  /** The same for several at once. */
  readonly startGroup: (requestHashes: readonly Hex[]) => Promise<void>;
  /** The same for all requests under a root. */
  readonly startRoot: (root: RecordedRoot) => Promise<void>;
};

function startWanted({ room, start, startGroup, startRoot }: Parts, body: Body): Promise<void> {
  if ("root" in body) {
    const listDigest = digestOfCid(body.list);
    if (listDigest === undefined) throw requestErrors.invalid();
    return startRoot({ root: body.root, listDigest });
  }
  // First, because the flow may look for it before the engine has answered.
  for (const nudge of "proposals" in body ? body.proposals : [body]) room.put(nudge);
  return "proposals" in body
    ? startGroup(body.proposals.map(({ requestHash }) => requestHash))
    : start(body.requestHash);
}

/** 202 means that the engine has it, or had it before. */
async function take(parts: Parts, body: Body): Promise<void> {
  try {
    await startWanted(parts, body);
  } catch (error) {
    throw requestErrors.notReady({ cause: error, headers: { "Retry-After": "5" } });
  }
}

export const nudgeRoutes = (parts: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/nudges",
    summary: "Announce proposals to verify",
    description:
      "One, several, or all those of a recorded root. A hint that may be repeated or lost. 503 while the engine is down: send the same nudge later.",
    tag: "Nudges",
    auth: credential("nudgeToken"),
    limit: [perIp(3000)],
    body: Body,
    replies: { 202: Taken },
    refuses: [requestErrors.notReady],
    handle: async ({ body }) => {
      await take(parts, body);
      const named = "requestHash" in body ? { requestHash: body.requestHash } : {};
      return { status: 202 as const, body: { ...named, status: "accepted" as const } };
    },
  }),
];
