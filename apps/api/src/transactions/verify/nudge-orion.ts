// Notifies orion of proposals: those of a root by the root's name, unencrypted ones with their content.
import type { Log } from "@countersign/platform/log";
import { cidOf, digestOf, writeRegistrations } from "@countersign/wire/envelope";
import { maximumNudges, type Nudge, type Nudges, type RootNudge } from "@countersign/wire/nudge";
import type { Orion } from "../../adapters/orion/index.ts";
import type { RegistrationStore, Verifiable } from "../store/index.ts";
import { unsealedOf } from "./unsealed.ts";

type Parts = {
  /** Without one, orion finds proposals on the chain. */
  readonly orion: Orion | undefined;
  readonly registrations: Pick<RegistrationStore, "findRegistration">;
  readonly log: Log;
};

export type NudgeOrion = (proposals: readonly Verifiable[]) => Promise<void>;

/** Room for other members within the 256 kB that orion accepts. */
const mostBytes = 200 * 1024;

function nudgeFor({ transaction, extras }: Verifiable): Nudge | undefined {
  const { requestHash, contentDigest, form } = transaction;
  if (form !== "unsealed")
    return { requestHash, ...(contentDigest === null ? {} : { cid: cidOf(contentDigest) }) };
  const unsealed = unsealedOf(transaction, extras);
  return unsealed && { requestHash, unsealed };
}

/** As few as the limits of one notification allow. */
function inPieces(nudges: readonly Nudge[]): readonly Nudges[] {
  const pieces: Nudge[][] = [];
  let bytes = 0;
  for (const nudge of nudges) {
    const size = Buffer.byteLength(JSON.stringify(nudge));
    const last = pieces.at(-1);
    if (last === undefined || last.length === maximumNudges || bytes + size > mostBytes) {
      pieces.push([nudge]);
      bytes = size;
    } else {
      last.push(nudge);
      bytes += size;
    }
  }
  return pieces.map((proposals) => ({ proposals }));
}

export function makeNudgeOrion({ orion, registrations, log }: Parts): NudgeOrion {
  const rootNudge = async (registrationId: string): Promise<readonly RootNudge[]> => {
    const registration = await registrations.findRegistration(registrationId);
    if (registration === undefined) return [];
    return [{ root: registration.root, list: cidOf(digestOf(writeRegistrations(registration))) }];
  };
  return async (proposals) => {
    if (orion === undefined) return;
    const ofRoots = proposals.filter(({ hasRoot }) => hasRoot);
    const alone = proposals.filter(({ hasRoot }) => !hasRoot).flatMap((one) => nudgeFor(one) ?? []);
    const ids = new Set(ofRoots.flatMap(({ registrationId }) => registrationId ?? []));
    const roots = await Promise.all(Array.from(ids, rootNudge));
    // A lost nudge is harmless: the next one follows, and orion also watches the chain.
    await Promise.all(
      [...roots.flat(), ...inPieces(alone)].map((nudge) =>
        orion.nudge(nudge).catch((error: unknown) => {
          log.warn("orion was not nudged", { error });
        }),
      ),
    );
  };
}
