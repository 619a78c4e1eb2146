import type { Place } from "./places.ts";

/** Fish has two escapes inside single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

export function fishScript(places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path !== "").map(({ path }) => path);
  return `# Completion of countersign for fish.
function __countersign_at
    set -l at ""
    for word in (commandline -opc)[2..-1]
        if contains -- "$at/$word" ${paths.join(" ")}
            set at "$at/$word"
        end
    end
    test "$at" = "$argv[1]"
end
${places.flatMap(linesOf).join("\n")}
`;
}

function linesOf({ path, commands, options, choices }: Place): readonly string[] {
  const at = `complete -c countersign -n ${quoted(`__countersign_at "${path}"`)}`;
  return [
    ...commands.map(({ text, about }) => `${at} -f -a ${quoted(text)} -d ${quoted(about)}`),
    ...choices.map((text) => `${at} -f -a ${quoted(text)}`),
    ...options.map(
      ({ text, about, takesValue }) =>
        `${at} -l ${quoted(text.replace(/^--/, ""))} -d ${quoted(about)}${takesValue ? " -r" : ""}`,
    ),
  ];
}
