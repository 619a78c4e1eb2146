// What the main service tells the arbiter's desk, so that it need not wait until it sees the chain.
import { z } from "zod";
import { digestOfCid, WholeContent } from "./envelope/index.ts";
import { Word } from "./envelope/fields.ts";

/**
 * A hint, never a proof: the desk looks up the chain's entry itself. Only a proposal that was not sealed travels here,
 * and has no envelope then; its content is judged if its hash is the request hash.
 */
export const Nudge = z
  .strictObject({
    requestHash: Word,
    cid: z
      .string()
      .refine((cid) => digestOfCid(cid) !== undefined, "must be a CIDv1 of raw bytes in base32")
      .optional(),
    unsealed: WholeContent.optional(),
  })
  .refine(
    ({ cid, unsealed }) => cid === undefined || unsealed === undefined,
    "has a cid or a content, not both",
  );
export type Nudge = Readonly<z.infer<typeof Nudge>>;
