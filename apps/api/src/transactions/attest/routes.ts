import { z } from "zod";
import { ok, perIp, route, type Route } from "@countersign/platform/http";
import { apiKey, isServerKeyType, type KeyCaller } from "../../api-keys/index.ts";
import { mostBytes, type Attest, type Members } from "./attest.ts";
import { transactionErrors } from "../errors.ts";
import { JsonObject } from "../json-object.ts";
import { readRequestHash, RequestHash } from "../record/request-hash.ts";
import type { Hex } from "../transaction.ts";

type Parts = {
  readonly attest: Pick<Attest, "keepTeeProof" | "keepSettlement">;
  /** Per IP address. */
  readonly metadataPerMinute: number;
};

const refuseUsers = ({ type }: KeyCaller): void => {
  if (!isServerKeyType(type)) throw transactionErrors.onlyForServers();
};

type Kind = {
  readonly name: "tee-proof" | "settlement";
  readonly summary: string;
  readonly description: string;
  readonly keep: (requestHash: Hex, added: Members) => Promise<void>;
};

const patch = ({ name, summary, description, keep }: Kind, { metadataPerMinute }: Parts): Route =>
  route({
    method: "PATCH",
    path: `/internal/orion-metadata/{requestHash}/${name}`,
    summary,
    description: `${description} For ORION and ADMIN keys. Members are added to those that are there; one that is there does not change.`,
    tag: "Internal",
    auth: apiKey(),
    limit: [perIp(metadataPerMinute)],
    listener: "internal",
    params: z.object({ requestHash: RequestHash }),
    body: JsonObject,
    bodyLimitBytes: mostBytes,
    replies: { 200: z.object({ requestHash: z.string() }) },
    refuses: [
      transactionErrors.metadataTooLarge,
      transactionErrors.onlyForServers,
      transactionErrors.notFound,
      transactionErrors.alreadySet,
    ],
    handle: async ({ params, body, caller }) => {
      refuseUsers(caller);
      const requestHash = readRequestHash(params.requestHash);
      await keep(requestHash, body);
      return ok({ requestHash });
    },
  });

export const internalRoutes = (parts: Parts): readonly Route[] => [
  patch(
    {
      name: "tee-proof",
      summary: "Store the verification service's enclave proof",
      description:
        "Any JSON object; known members are format, attestation and appProof. It is stored unchanged and not verified: no root can be " +
        "configured yet, and without one nothing is claimed about it.",
      keep: parts.attest.keepTeeProof,
    },
    parts,
  ),
  patch(
    {
      name: "settlement",
      summary: "Store how an execution was settled",
      description:
        "Any JSON object; known members are chainId, transactionHash, blockNumber, status and settledAt. It settles an executed " +
        "transaction unless its status is `pending`; that status alone may change later, to `final`.",
      keep: parts.attest.keepSettlement,
    },
    parts,
  ),
];
