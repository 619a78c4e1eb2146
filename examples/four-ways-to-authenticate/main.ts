// Runs the snippets of the guide, exactly as they stand there, as one program.
import { runGuide } from "../run-guide.ts";

runGuide("four-ways-to-authenticate", import.meta.dirname);
