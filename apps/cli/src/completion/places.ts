// The completions that may follow each command.
import type { Command } from "commander";

export type Word = { readonly text: string; readonly about: string };

type Option = Word & { readonly short: string | undefined; readonly takesValue: boolean };

export type Place = {
  /** "" for the program, "/keys/list" for a subcommand. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly Option[];
  /** Choices of its arguments. */
  readonly choices: readonly string[];
};

export function readPlaces(program: Command): readonly Place[] {
  const everywhere = optionsOf(program).filter(({ text }) => text !== "--version");
  const walk = (command: Command, path: string): readonly Place[] => [
    {
      path,
      commands: command.commands.map((sub) => ({ text: sub.name(), about: sub.description() })),
      options: [...optionsOf(command), ...(path === "" ? [] : everywhere), help],
      choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    },
    ...command.commands.flatMap((sub) => walk(sub, `${path}/${sub.name()}`)),
  ];
  return walk(program, "");
}

const help = { text: "--help", about: "print help", takesValue: false, short: undefined };

const optionsOf = (command: Command): Place["options"] =>
  command.options.map(({ long, short, description, required, optional }) => ({
    ...{ text: long ?? short ?? "", about: description },
    ...{ short, takesValue: required || optional },
  }));

/** Returns the options, long and short, that take a value. */
export function valueOptions(places: readonly Place[]): readonly string[] {
  const taking = places.flatMap(({ options }) => options).filter(({ takesValue }) => takesValue);
  const names = taking.flatMap(({ text, short }) => (short === undefined ? [text] : [text, short]));
  return [...new Set(names)];
}
