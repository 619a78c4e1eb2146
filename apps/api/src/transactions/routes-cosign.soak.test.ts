// Runs the imported tests at full size.
import "./execute/cosign/routes.db.test.ts";
