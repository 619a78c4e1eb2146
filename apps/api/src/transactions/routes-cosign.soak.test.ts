// Everything in the imported file at full size.
import "./routes-cosign.db.test.ts";
