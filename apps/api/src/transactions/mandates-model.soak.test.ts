// Runs the imported tests at full size.
import "./grant/mandates-model.db.test.ts";
