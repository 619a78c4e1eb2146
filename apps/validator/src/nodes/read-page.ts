/** Parses the page of a check. The recommendation in a response comes from its remedy. */
export type Page = {
  readonly title: string;
  readonly sections: ReadonlyMap<string, string>;
  /** Two sections as one line of plain text each, built once because every response contains them. */
  readonly checks: string;
  readonly remedy: string;
};

/** "Does not pass" is for a check that claims no difference and leaves the verdict open. */
const fourth = ["Fails", "Does not pass"] as const;
const headings = ["Checks", "Why", "Passes", ...fourth, "Skips when", "Known limits", "Remedy"] as const;
type Heading = (typeof headings)[number];

const isComplete = (found: readonly string[]): boolean =>
  fourth.some((one) => {
    const wanted = headings.filter(
      (heading) => heading === one || !(fourth as readonly string[]).includes(heading),
    );
    return found.join() === wanted.join();
  });

/** Rejects a page without the fixed headings in their order. */
export function readPage(at: string, text: string): Page {
  const [head = "", ...parts] = text.split(/^## /m);
  const title = head.split("\n")[0]?.replace(/^# /, "").trim() ?? "";
  const sections = new Map(
    parts.map((part) => {
      const end = part.indexOf("\n");
      return [part.slice(0, end).trim(), part.slice(end + 1).trim()] as const;
    }),
  );
  const found = [...sections.keys()];
  if (!head.startsWith("# ") || !isComplete(found))
    throw new Error(
      `${at} must have a title and the headings ${headings.join(", ")} (one of "${fourth.join('", "')}"); it has ${found.join(", ")}`,
    );
  const line = (heading: Heading): string => (sections.get(heading) ?? "").replace(/\s+/g, " ");
  return { title, sections, checks: line("Checks"), remedy: line("Remedy") };
}
