// Checks the licences of our dependencies. In production they must be permissive, MPL, or one of the listed exceptions.
import { readFileSync } from "node:fs";
import { join } from "node:path";

type Locked = { readonly dev?: boolean; readonly link?: boolean; readonly license?: string };

const root = join(import.meta.dirname, "../..");
const allowed =
  /^\(?(MIT|MIT-0|ISC|0BSD|BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|MPL[- ]2\.0|BlueOak-1\.0\.0|CC0-1\.0|CC-BY-[34]\.0|Unlicense|Python-2\.0|WTFPL|Zlib)\b/;

/** Each with its reason. A new line here is a decision. */
const exceptions: Readonly<Record<string, string>> = {
  openpgp: "LGPL-3.0, used unmodified and loaded as a separate package, so that operators can replace it.",
  "@restatedev/restate-server-linux-x64":
    "BSL 1.1, run as a separate server and not linked: running it for our own product is allowed, offering it to others as a service is not. Apache-2.0 after four years.",
};

/** The licence of what is installed: the lockfile repeats it for most packages, the package itself knows it for all. */
function licenceOf(path: string, locked: Locked): string {
  if (locked.license !== undefined) return locked.license;
  const { license } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8")) as {
    license?: string | { type?: string };
  };
  return (typeof license === "string" ? license : license?.type) ?? "none stated";
}

const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  packages: Record<string, Locked>;
};
const refused = Object.entries(packages)
  .filter(([path, { dev, link }]) => path.includes("node_modules/") && dev !== true && link !== true)
  .map(([path, locked]) => ({
    name: path.replace(/^.*node_modules\//, ""),
    licence: licenceOf(path, locked),
  }))
  .filter(
    ({ name, licence }) => !allowed.test(licence) && !licence.includes(" OR ") && !(name in exceptions),
  );

for (const { name, licence } of refused) console.error(`${name}: ${licence}`);
if (refused.length > 0) process.exitCode = 1;
