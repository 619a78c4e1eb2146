// Everything in the imported file at full size.
import "./decide/decide-rules.db.test.ts";
