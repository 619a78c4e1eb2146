// Runs the snippets of the guide, exactly as they stand there, as one program.
import { runGuide } from "../run-guide.ts";

runGuide("approve-as-an-owner", import.meta.dirname);
