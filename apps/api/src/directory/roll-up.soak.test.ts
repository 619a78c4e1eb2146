// Everything in the imported file at full size.
import "./roll-up.db.test.ts";
