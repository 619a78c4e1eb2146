// Runs the snippets of the guide, exactly as they stand there, as one program.
import { runGuide } from "../run-guide.ts";

runGuide("the-verdict-and-how-to-check-it", import.meta.dirname);
