import { z } from "zod";
import { requestErrors } from "@countersign/platform/errors";
import { ok, open, route, unlimited, type Route } from "@countersign/platform/http";
import { PoolBusy } from "@countersign/platform/pool";
import type { Hex } from "@countersign/wire";
import { captureState, type Asked, type CaptureParts, type State } from "./capture-state.ts";
import { stateErrors } from "./errors.ts";

const lower = (text: string): Hex => text.toLowerCase() as Hex;
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform(lower);
/** As many bytes as a transaction on Ethereum can have. */
const maxDataCharacters = 2 + 2 * 131_072;

const Call = z
  .object({
    chainId: z.number().int().positive(),
    from: address.meta({ description: "The account that sends the transaction." }),
    to: address,
    value: z
      .string()
      .regex(/^\d{1,78}$/)
      .refine((digits) => BigInt(digits) < 2n ** 256n)
      .default("0")
      .meta({ description: "Wei, in decimal digits." }),
    data: z
      .string()
      .regex(/^0x(?:[0-9a-fA-F]{2})*$/)
      .max(maxDataCharacters)
      .default("0x")
      .transform(lower),
  })
  .meta({ id: "StateRequest", description: "A transaction that was not sent yet." });

const StateReply = z
  .object({
    state: z.record(z.string(), z.unknown()).meta({
      description: "The proven state that the call reads: a witness, for metadata.state of POST /validate.",
    }),
    block: z.object({ number: z.string(), hash: z.string() }),
    requests: z.number().int().meta({ description: "Requests to the node that answered." }),
  })
  .meta({ id: "StateReply" });

const soon = { headers: { "Retry-After": "1" } };

async function answer(parts: CaptureParts, asked: Asked): Promise<State> {
  try {
    return await captureState(parts, asked);
  } catch (error) {
    if (error instanceof PoolBusy) throw stateErrors.busy({ ...soon, cause: error });
    throw error;
  }
}

export const stateRoutes = (parts: CaptureParts): readonly Route[] => [
  route({
    method: "POST",
    path: "/states",
    summary: "Capture the proven state that a transaction reads",
    description:
      "Executes the transaction on the newest block that the configured nodes agree on, and returns all state that it reads, with Merkle " +
      "proofs. Nothing is sent to the chain.",
    tag: "States",
    auth: open,
    limit: unlimited,
    body: Call,
    bodyLimitBytes: 512 * 1024,
    replies: { 200: StateReply },
    refuses: [
      stateErrors.unknownChain,
      stateErrors.notCapturable,
      stateErrors.disagreement,
      stateErrors.unavailable,
      stateErrors.busy,
      requestErrors.internal,
    ],
    handle: async ({ body: { chainId, from, to, value, data } }) => {
      const call = { from, to, data, value: `0x${BigInt(value).toString(16)}` as const };
      const { state, block, requests } = await answer(parts, { chainId, call });
      return ok({
        state: state as Record<string, unknown>,
        block: { number: block.number.toString(), hash: block.hash },
        requests,
      });
    },
  }),
];
