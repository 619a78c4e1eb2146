// The same as stories-by-api.system.test.ts with all stories.
import "./stories-by-api.system.test.ts";
