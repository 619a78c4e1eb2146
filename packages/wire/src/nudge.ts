// The notification from the main service to the verification service, which otherwise waits for the chain.
import { z } from "zod";
import { digestOfCid, WholeContent } from "./envelope/index.ts";
import { Word } from "./envelope/fields.ts";

const Cid = z
  .string()
  .refine((cid) => digestOfCid(cid) !== undefined, "must be a CIDv1 of raw bytes in base32");

/**
 * A hint, not a proof: the verification service reads the entry on chain. Only an unencrypted proposal is sent here, without
 * an envelope; its content is checked if its hash is the request hash.
 */
export const Nudge = z
  .strictObject({ requestHash: Word, cid: Cid.optional(), unsealed: WholeContent.optional() })
  .refine(
    ({ cid, unsealed }) => cid === undefined || unsealed === undefined,
    "has a cid or a content, not both",
  );
export type Nudge = Readonly<z.infer<typeof Nudge>>;

/** As many as one notification holds. Those of a recorded root need only its name. */
export const maximumNudges = 64;

/** Several proposals at once. */
export const Nudges = z.strictObject({ proposals: z.array(Nudge).min(1).max(maximumNudges) });
export type Nudges = Readonly<z.infer<typeof Nudges>>;

/** All proposals of a recorded root. `list` is the CID of their list, whose root is compared with the one on the chain. */
export const RootNudge = z.strictObject({ root: Word, list: Cid });
export type RootNudge = Readonly<z.infer<typeof RootNudge>>;
