// Runs the imported tests at full size.
import "./roll-up.db.test.ts";
