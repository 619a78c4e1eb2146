// Runs the imported tests at full size.
import "./decide/decide-rules.db.test.ts";
