// 1,000 receipts.
import "./python-receipts.test.ts";
