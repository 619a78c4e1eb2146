// Runs the imported tests at full size: 10,000 events and 20 kills.
import "./kill-worker.system.test.ts";
