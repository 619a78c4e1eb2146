// A link to a filled form. The content is in the fragment, which browsers do not send: nothing is stored anywhere.
import { nothingEntered, type Entered } from "./read-form.ts";

const version = "1.";

const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
    character.charCodeAt(0),
  );

export const fragmentOf = (entered: Entered): string =>
  `#${version}${toBase64(new TextEncoder().encode(JSON.stringify(entered)))}`;

/** Returns undefined if the fragment is not one of ours. Unknown members are ignored. */
export function enteredIn(fragment: string): Entered | undefined {
  if (!fragment.startsWith(`#${version}`)) return undefined;
  try {
    const read: unknown = JSON.parse(
      new TextDecoder().decode(fromBase64(fragment.slice(version.length + 1))),
    );
    if (typeof read !== "object" || read === null) return undefined;
    const given = new Map(Object.entries(read));
    const text = (name: keyof Entered): string => {
      const value: unknown = given.get(name);
      return typeof value === "string" ? value : nothingEntered[name];
    };
    return {
      ...{ words: text("words"), to: text("to"), value: text("value") },
      ...{ data: text("data"), chainId: text("chainId"), from: text("from") },
    };
  } catch {
    return undefined;
  }
}
