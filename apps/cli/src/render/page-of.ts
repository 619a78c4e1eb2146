import type { Context } from "../context.ts";
import type { Place } from "../terminal/output.ts";
import type { Page } from "./layout.ts";

/** As wide and as colourful as what is written to. Beyond 120 columns lines are hard to follow. */
export const pageOf = ({ output }: Pick<Context, "output">, place: Place = "stdout"): Page => ({
  width: Math.min(120, output.width(place)),
  colour: output.hasColour(place),
  program: output.program,
});
