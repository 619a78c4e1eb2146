// The notification from the main service to the verification service, which otherwise waits for the chain.
import { z } from "zod";
import { digestOfCid, WholeContent } from "./envelope/index.ts";
import { Word } from "./envelope/fields.ts";

/**
 * A hint, not a proof: the verification service reads the entry on chain. Only an unencrypted proposal is sent here, without
 * an envelope; its content is checked if its hash is the request hash.
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
