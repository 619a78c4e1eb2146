// Runs the imported tests at full size.
import "./make-csr.test.ts";
