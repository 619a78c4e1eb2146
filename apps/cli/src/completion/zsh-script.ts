import { valueOptions, type Place, type Word } from "./places.ts";

/** Only the quote is special in single quotes; _describe splits at colons. */
const quoted = ({ text, about }: Word): string =>
  `'${`${text.replaceAll(":", "\\:")}:${about}`.replaceAll("'", "'\\''")}'`;

export function zshScript(places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path !== "").map(({ path }) => path);
  const cases = places.map(({ path, commands, options, choices }) => {
    const words = [...commands, ...choices.map((text) => ({ text, about: text })), ...options];
    return `    '${path}') entries=(${words.map(quoted).join(" ")}) ;;`;
  });
  return `#compdef countersign
# Completion of countersign for zsh.
_countersign() {
  local at="" i
  local -a entries
  for ((i = 2; i < CURRENT; i++)); do
    case "\${words[i - 1]}" in
      ${valueOptions(places).join("|")}) continue ;;
    esac
    case "$at/\${words[i]}" in
      ${paths.join("|")}) at="$at/\${words[i]}" ;;
    esac
  done
  case "\${words[CURRENT - 1]}" in
    ${valueOptions(places).join("|")}) _files; return ;;
  esac
  case "$at" in
${cases.join("\n")}
  esac
  _describe 'countersign' entries || _files
}
# Found in fpath, this file is the function's body; read by eval, it registers the function.
if [ "$funcstack[1]" = "_countersign" ]; then
  _countersign "$@"
else
  compdef _countersign countersign
fi
`;
}
