// Parses the info string of a block: a language and its options.

type Attributes = {
  /** Why it is not run. */
  readonly "not-run"?: string;
  /** The exit code that the block must end with. */
  readonly exit?: string;
  /** Names that a reader has from elsewhere, separated by blanks: see given.ts and given-to-programs.ts. */
  readonly given?: string;
  /** Blocks of the same name are one program. */
  readonly program?: string;
  /** The block is this file. */
  readonly file?: string;
  /** The block is what the commands before it print. */
  readonly output?: "";
};
type AttributeName = keyof Attributes;

/** The languages and the options of each. */
const languages: Readonly<Record<string, readonly AttributeName[]>> = {
  sh: ["not-run", "exit", "given"],
  ts: ["not-run", "program", "file", "given"],
  json: ["output", "file"],
  jsonc: ["file"],
  text: ["output", "file"],
  toml: ["file"],
  md: ["file"],
  // A drawing, or an HTTP request in outline.
  "": [],
};
const flags: readonly string[] = ["output"];

export type Info = { readonly language: string; readonly attributes: Attributes };

/** Throws a sentence about what is wrong with it. */
export function readInfoString(text: string): Info {
  const [language = ""] = /^[^\s]*/.exec(text.trim()) ?? [];
  const allowed = languages[language];
  if (allowed === undefined)
    throw new Error(
      `"${language}" is not one of our languages: ${Object.keys(languages).filter(Boolean).join(", ")}`,
    );
  const attributes: Record<string, string> = {};
  for (const [name, value] of readAttributes(text.trim().slice(language.length))) {
    if (!allowed.includes(name as AttributeName))
      throw new Error(`"${name}" is not an option of a block in "${language}"`);
    if (name in attributes) throw new Error(`"${name}" is set twice`);
    attributes[name] = checkValue(name, value);
  }
  return { language, attributes };
}

function readAttributes(text: string): [string, string | undefined][] {
  const found = [...text.matchAll(/\s+([a-z-]+)(?:="([^"]*)")?(?=\s|$)/g)];
  if (found.map(([whole]) => whole).join("") !== text.trimEnd())
    throw new Error(`\`${text.trim()}\` is not a list of name="value"`);
  return found.map(([, name = "", value]) => [name, value]);
}

function checkValue(name: string, value: string | undefined): string {
  if (flags.includes(name)) {
    if (value !== undefined) throw new Error(`"${name}" takes no value`);
    return "";
  }
  if (value === undefined || value.trim() === "") throw new Error(`"${name}" takes a value: ${name}="…"`);
  if (name === "exit" && !/^\d{1,3}$/.test(value)) throw new Error(`exit="${value}" is not an exit code`);
  if (name === "file" && (value.startsWith("/") || value.split("/").includes("..")))
    throw new Error(`file="${value}" is not inside the checkout`);
  return value;
}
