/** Names as the name service compares them. A name that does not normalise, or becomes another one, is not trusted. */
import { ens_normalize } from "@adraffy/ens-normalize";
import type { PartyRef, Span } from "../intent.ts";

const normal = (name: string): string | null => {
  try {
    return ens_normalize(name);
  } catch {
    // The library throws for every name that may not exist; that is the answer, not a fault.
    return null;
  }
};

/** Capitals are only a way of writing; any other change means the name is not what it looks like. */
export const namedParty = (written: string, span: Span): PartyRef => {
  const name = normal(written);
  const normalised = name !== null && name === written.toLowerCase();
  return { kind: "name", name: name ?? written, normalised, span };
};
