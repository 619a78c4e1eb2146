// Runs the imported tests at full size: 200 proposals at a time and 50 kills.
import "./kill-processes.system.test.ts";
