import { z } from "zod";
import { ok, perIp, route, type Route } from "@countersign/platform/http";
import { apiKey, isServerKeyType } from "../../api-keys/index.ts";
import { transactionErrors } from "../errors.ts";
import { readRequestHash, RequestHash } from "../record/request-hash.ts";
import type { makeReadAwaiting } from "./unsealed.ts";

const Content = z
  .record(z.string(), z.unknown())
  .meta({ id: "UnsealedContent", description: "The content that an envelope would have." });

type Parts = {
  readonly readAwaiting: ReturnType<typeof makeReadAwaiting>;
  /** Per IP address. */
  readonly readsPerMinute: number;
};

export const contentRoutes = ({ readAwaiting, readsPerMinute }: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/internal/proposals/{requestHash}/content",
    summary: "Get the content of an unencrypted proposal",
    description:
      "For ORION and ADMIN keys, while the proposal awaits its verdict. The verification service asks for it if the nudge with the content reached another of its processes. Encrypted proposals are on the chain and on IPFS.",
    tag: "Internal",
    auth: apiKey(),
    limit: [perIp(readsPerMinute)],
    listener: "internal",
    params: z.object({ requestHash: RequestHash }),
    replies: { 200: Content },
    refuses: [transactionErrors.onlyForServers, transactionErrors.notFound],
    handle: async ({ params, caller }) => {
      if (!isServerKeyType(caller.type)) throw transactionErrors.onlyForServers();
      const content = await readAwaiting(readRequestHash(params.requestHash));
      if (content === undefined) throw transactionErrors.notFound();
      return ok(content);
    },
  }),
];
