#!/usr/bin/env node
// Old Node versions must be able to parse this file, so that they can report that they are too old.
import { existsSync } from "node:fs";
import process from "node:process";
import { URL } from "node:url";

const least = 24;

if (Number.parseInt(process.versions.node, 10) < least) {
  process.stderr.write(
    `countersign needs Node ${least} or later, and this is ${process.versions.node}.\n` +
      "  → Install a newer one: https://nodejs.org (or: nvm install 24)\n",
  );
  process.exit(1);
}

const source = new URL("../src/main.ts", import.meta.url);
await import(existsSync(source) ? source.href : new URL("../dist/main.js", import.meta.url).href);
