// Names under .eth in a request, so that the simulator can resolve them. The validator reads the request itself: a name that is missing
// here is not resolved, and then it cannot be verified.
import { normalize } from "viem/ens";

/** As many as a state may name. */
const most = 4;

/** Chinese needs no spaces around a name, so its characters are never part of one here. */
const written =
  /(?<![[\p{L}\p{N}_.\-]--\p{Script=Han}])(?:[[\p{L}\p{N}_\p{Extended_Pictographic}\-]--\p{Script=Han}]{1,80}\.){1,5}eth(?![[\p{L}\p{N}_\-]--\p{Script=Han}]|\.[\p{L}\p{N}])/giv;

/** Capitals are only a way of writing. A name that changes otherwise is not what it looks like, and is left out. */
function normalised(text: string): string | undefined {
  try {
    const name = normalize(text);
    return name === text.toLowerCase() ? name : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the first names of the text, normalised, each once, at most four. */
export function namesIn(text: string): readonly string[] {
  const found = new Set<string>();
  for (const [name] of text.matchAll(written)) {
    const one = normalised(name);
    if (one !== undefined) found.add(one);
    if (found.size === most) break;
  }
  return [...found];
}
