// The same as stories.system.test.ts with all stories.
import "./stories.system.test.ts";
