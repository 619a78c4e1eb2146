// Everything in the imported file at full size.
import "./make-csr.test.ts";
