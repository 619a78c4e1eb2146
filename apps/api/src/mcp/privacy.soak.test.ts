// Runs the imported tests at full size.
import "./privacy.db.test.ts";
