import type { Context } from "../context.ts";
import type { Place } from "../terminal/output.ts";
import type { Page } from "./layout.ts";

/** Uses the stream's width and color support, with at most 120 columns for readability. */
export const pageOf = ({ output }: Pick<Context, "output">, place: Place = "stdout"): Page => ({
  width: Math.min(120, output.width(place)),
  colour: output.hasColour(place),
  program: output.program,
});
