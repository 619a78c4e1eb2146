import { valueOptions, type Place } from "./places.ts";

/** Names of commands and options only: nothing in it is a description, so nothing has to be quoted. */
export function bashScript(places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path !== "").map(({ path }) => path);
  const cases = places.map(({ path, commands, options, choices }) => {
    const words = [...commands.map(({ text }) => text), ...choices, ...options.map(({ text }) => text)];
    return `    "${path}") words="${words.join(" ")}" ;;`;
  });
  const values = valueOptions(places).join(" | ");
  // No mapfile: the bash of macOS is older than that. Words have no spaces, so splitting them does no harm.
  return `# Completion of countersign for bash.
_countersign() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path="" words="" i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i - 1]}" in
    ${values}) continue ;;
    esac
    case "$path/\${COMP_WORDS[i]}" in
    ${paths.join(" | ")}) path="$path/\${COMP_WORDS[i]}" ;;
    esac
  done
  # Nothing of ours here: the shell completes file names.
  case "\${COMP_WORDS[COMP_CWORD - 1]}" in
  ${values}) return ;;
  esac
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _countersign countersign
`;
}
