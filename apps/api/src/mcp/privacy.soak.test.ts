// Everything in the imported file at full size.
import "./privacy.db.test.ts";
