// Runs the snippets of the guide, exactly as they stand there, as one program.
import { runGuide } from "../run-guide.ts";

runGuide("propose-a-transaction", import.meta.dirname);
