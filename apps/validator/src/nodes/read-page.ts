/** A check's page, taken apart. The remedy on it is also what an answer recommends: one source. */
export type Page = {
  readonly title: string;
  readonly sections: ReadonlyMap<string, string>;
  /** Two sections as one line of plain text each, made once: every answer says them. */
  readonly checks: string;
  readonly remedy: string;
};

const headings = ["Checks", "Why", "Passes", "Fails", "Skips when", "Known limits", "Remedy"] as const;
type Heading = (typeof headings)[number];

/** Refuses a page without the fixed headings in their order. */
export function readPage(at: string, text: string): Page {
  const [head = "", ...parts] = text.split(/^## /m);
  const title = head.split("\n")[0]?.replace(/^# /, "").trim() ?? "";
  const sections = new Map(
    parts.map((part) => {
      const end = part.indexOf("\n");
      return [part.slice(0, end).trim(), part.slice(end + 1).trim()] as const;
    }),
  );
  const found = [...sections.keys()].join(", ");
  if (!head.startsWith("# ") || found !== headings.join(", "))
    throw new Error(`${at} must have a title and the headings ${headings.join(", ")}; it has ${found}`);
  const line = (heading: Heading): string => (sections.get(heading) ?? "").replace(/\s+/g, " ");
  return { title, sections, checks: line("Checks"), remedy: line("Remedy") };
}
