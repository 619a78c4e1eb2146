// Everything in the imported file at full size.
import "./decide-rules.db.test.ts";
