/** The same as search-readings.system.test.ts at full size: every attack of the sets, and every sentence before and after a request. */
import "./search-readings.system.test.ts";
