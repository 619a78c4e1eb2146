import { valueOptions, type Place } from "./places.ts";

/** Contains only command and option names, so nothing needs quoting. */
export function bashScript(places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path !== "").map(({ path }) => path);
  const cases = places.map(({ path, commands, options, choices }) => {
    const words = [...commands.map(({ text }) => text), ...choices, ...options.map(({ text }) => text)];
    return `    "${path}") words="${words.join(" ")}" ;;`;
  });
  const values = valueOptions(places).join(" | ");
  // No mapfile, which macOS's bash lacks. Names contain no spaces, so word splitting is safe.
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
