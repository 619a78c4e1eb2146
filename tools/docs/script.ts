// A document as one bash session. Each block keeps its line numbers, so that a message of bash or node names the line of the
// document; each writes to files of its own, so that what it printed can be looked at.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Block } from "./blocks.ts";
import type { Checkout } from "./checkout.ts";
import type { Step } from "./plan.ts";

/** Programs are written next to the examples, so that `../make-account.ts` resolves in a document as in every example. */
const programFolder = "examples/.docs";
const givenToPrograms = new URL("given-to-programs.ts", import.meta.url).href;

// A curl that is answered with an error has failed, which is not what curl thinks. The first failed line is the cause.
const beginning = `
set -Eeuo pipefail
curl() { command curl --fail-with-body "$@"; }
trap '[ -e "$STEPS/line" ] || echo "$LINENO" > "$STEPS/line"' ERR
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
`;

export type Script = {
  readonly text: string;
  /** The names of the files blocks were written to, and what a reader should see instead. */
  readonly names: readonly (readonly [string, string])[];
};

export function writeScript(
  { root, steps: folder }: Checkout,
  document: string,
  steps: readonly Step[],
): Script {
  const names: [string, string][] = [];
  const file = (path: string, blocks: readonly Block[], first = ""): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, first + atTheirLines(blocks));
    names.push([path, document]);
    return path;
  };
  const text = steps.map((step, number) => {
    const to = `> "$STEPS/${number}.out" 2> "$STEPS/${number}.err" < /dev/null`;
    const begin = `echo ${number} > "$STEPS/current"`;
    if (step.kind === "file") {
      const place = join(root, step.path);
      const draft = join(folder, `${number}.file`);
      writeFileSync(draft, step.block.text);
      return `${begin}; mkdir -p '${dirname(place)}' ${to}; cp '${draft}' '${place}'`;
    }
    if (step.kind === "program") {
      const path = join(root, programFolder, `${flat(document)}.${step.name}.ts`);
      return `${begin}; node '${file(path, step.blocks, importOf(step.given))}' ${to}`;
    }
    const path = file(join(folder, `${flat(document)}.${number}.sh`), [step.block]);
    return `${begin}; ${step.exit === 0 ? `source '${path}' ${to}` : expecting(step.exit, path, to)}`;
  });
  return { text: `${beginning}\n${text.join("\n")}\n`, names };
}

/** Stands in the program's first line, which no block ever begins at. */
const importOf = (names: readonly string[]): string =>
  names.length === 0 ? "" : `import { ${names.join(", ")} } from "${givenToPrograms}";`;

/** In a shell of its own, whose end is not the end of the session. */
const expecting = (exit: number, path: string, to: string): string =>
  `set +e; ( set -e; source '${path}' ) ${to}; ended=$?; set -e
[ "$ended" = ${exit} ] || { echo "It ended with $ended, not with ${exit}." >> "$STEPS/$(cat "$STEPS/current").err"; exit 1; }
rm -f "$STEPS/line"`;

function atTheirLines(blocks: readonly Block[]): string {
  let text = "";
  let line = 1;
  for (const block of blocks) {
    const first = block.line + 1;
    text += "\n".repeat(first - line) + block.text;
    line = first + block.text.split("\n").length - 1;
  }
  return text;
}

const flat = (document: string): string => document.replaceAll("/", "-");
