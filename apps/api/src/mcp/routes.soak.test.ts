// Everything in the imported file at full size.
import "./routes.db.test.ts";
