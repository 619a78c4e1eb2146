/** The same as replay.system.test.ts at full size: 1,000 verdicts. */
import "./replay.system.test.ts";
