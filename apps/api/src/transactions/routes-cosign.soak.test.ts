// Everything in the imported file at full size.
import "./execute/cosign/routes.db.test.ts";
