// Generates completion scripts from the program's commands.
import type { Command } from "commander";
import { bashScript } from "./bash-script.ts";
import { fishScript } from "./fish-script.ts";
import { readPlaces } from "./places.ts";
import { zshScript } from "./zsh-script.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

export type Shell = keyof typeof scripts;
export const shells = Object.keys(scripts) as readonly Shell[];

export const completionFor = (shell: Shell, program: Command): string => scripts[shell](readPlaces(program));
