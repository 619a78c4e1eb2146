import { z } from "zod";
import { limits } from "@countersign/evm";
import { requestErrors } from "@countersign/platform/errors";
import { ok, open, route, unlimited, type Route } from "@countersign/platform/http";
import { PoolBusy } from "@countersign/platform/pool";
import type { Hex } from "@countersign/wire";
import type { NodeCall } from "../adapters/rpc/index.ts";
import { captureState, type CaptureParts, type State } from "./capture-state.ts";
import { stateErrors } from "./errors.ts";

const lower = (text: string): Hex => text.toLowerCase() as Hex;
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform(lower);
/** As many bytes as a transaction on Ethereum can have. */
const maxDataCharacters = 2 + 2 * 131_072;

const called = {
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
};

const Asked = z
  .object({
    chainId: z.number().int().positive(),
    from: address.meta({ description: "The account that makes the calls." }),
    calls: z
      .tuple([z.object(called)], z.object(called))
      .refine(({ length }) => length <= limits.calls)
      .meta({
        description: `At most ${limits.calls} calls, in the order of their execution. Each is a transaction of its own, unless the account is a contract.`,
      }),
    signer: address.optional().meta({
      description:
        "The account that signs data which lets others make `from` do this: the same account, or an owner of a Safe. Others send it and pay for the gas.",
    }),
    names: z
      .array(z.string().min(1).max(limits.nameCharacters))
      .max(limits.names)
      .refine((names) => new Set(names).size === names.length)
      .default([])
      .meta({
        description:
          "Names under .eth, normalised (ENSIP-15), that are resolved on the same state. Only on Ethereum; elsewhere they have no address.",
      }),
  })
  .meta({ id: "StateRequest", description: "Calls that were not sent yet." });

const StateReply = z
  .object({
    state: z.record(z.string(), z.unknown()).meta({
      description: "The proven state that the call reads: a witness, for metadata.state of POST /validate.",
    }),
    second_engine: z.record(z.string(), z.unknown()).meta({
      description:
        "Whether a second engine has the same result on this state: agree, differs or cannot, for metadata.second_engine of POST /validate.",
    }),
    block: z.object({ number: z.string(), hash: z.string() }),
    requests: z.number().int().meta({ description: "Requests to the node that answered." }),
  })
  .meta({ id: "StateReply" });

const soon = { headers: { "Retry-After": "1" } };

async function answer(parts: CaptureParts, asked: Parameters<typeof captureState>[1]): Promise<State> {
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
    summary: "Capture the proven state that calls read",
    description:
      "Executes the calls, one after the other, on the newest block that the configured nodes agree on, and returns all state that it reads, with Merkle " +
      "proofs, and whether a second engine has the same result. Nothing is sent to the chain.",
    tag: "States",
    auth: open,
    limit: unlimited,
    body: Asked,
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
    handle: async ({ body: { chainId, from, calls, signer, names } }) => {
      const toCall = ({ to, value, data }: (typeof calls)[number]): NodeCall => ({
        ...{ from, to, data },
        value: `0x${BigInt(value).toString(16)}`,
      });
      const [first, ...following] = calls;
      const asked = { chainId, calls: [toCall(first), ...following.map(toCall)], signer, names } as const;
      const { state, agreement, block, requests } = await answer(parts, asked);
      return ok({
        state: state as Record<string, unknown>,
        second_engine: agreement,
        block: { number: block.number.toString(), hash: block.hash },
        requests,
      });
    },
  }),
];
