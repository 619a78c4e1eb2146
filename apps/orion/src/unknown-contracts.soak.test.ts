// The same as unknown-contracts.system.test.ts with all stories.
import "./unknown-contracts.system.test.ts";
