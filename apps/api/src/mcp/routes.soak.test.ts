// Runs the imported tests at full size.
import "./routes.db.test.ts";
