import { Argument, type Command } from "commander";
import { completionFor, shells, type Shell } from "../completion/completion.ts";
import type { Context } from "../context.ts";

const help = `
Examples:
  countersign completion bash > ~/.local/share/bash-completion/completions/countersign
  countersign completion zsh > "\${fpath[1]}/_countersign"
  countersign completion fish > ~/.config/fish/completions/countersign.fish`;

export function addCompletion(program: Command, { output }: Context): void {
  program
    .command("completion")
    .addArgument(new Argument("<shell>").choices(shells))
    .description("print a completion script for your shell")
    .addHelpText("after", help)
    .action((shell: Shell) => {
      const script = completionFor(shell, program);
      output.answer({ shell, script }, () => script);
    });
}
