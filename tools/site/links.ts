// Resolves a document's link on the site. A broken link fails the build.
import { existsSync, statSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import type { Page } from "./pages.ts";
import { sdkReference } from "./sdk-reference.ts";

export type LinkFault = { readonly source: string; readonly href: string; readonly message: string };

export type Links = {
  /** The address to write into the page. */
  readonly resolve: (from: Page, href: string) => string;
  readonly faults: readonly LinkFault[];
  /** Files that are no pages and are pointed to: they come along as they are, or as a listing. */
  readonly files: ReadonlySet<string>;
};

/** Shown by a browser as they are. */
export const isRaw = (file: string): boolean => /\.(?:json|svg|png|txt)$/.test(file);
export const listingOf = (file: string): string => `${file}.html`;

type Anchors = ReadonlyMap<string, ReadonlySet<string>>;

/** `anchors` has the ids of each page, by its source. */
export function makeLinks(root: string, pages: readonly Page[], anchors: Anchors): Links {
  const bySource = new Map(pages.map((page) => [page.source, page]));
  const faults: LinkFault[] = [];
  const files = new Set<string>();

  const placeOf = (target: string): string | undefined => {
    if (target === sdkReference) return target;
    const folder = target === "." ? "" : target.replace(/\/$/, "");
    const page = bySource.get(target) ?? bySource.get(join(folder, "README.md"));
    if (page !== undefined) return page.path;
    const file = join(root, target);
    if (!existsSync(file) || statSync(file).isDirectory()) return undefined;
    files.add(target);
    return isRaw(target) ? target : listingOf(target);
  };

  const resolve = (from: Page, href: string): string => {
    if (/^(?:https?:|mailto:)/.test(href)) return href;
    const [path = "", anchor] = href.split("#");
    const target = path === "" ? from.source : normalize(join(dirname(from.source), decodeURI(path)));
    const fault = (message: string): string => {
      faults.push({ source: from.source, href, message });
      return href;
    };
    if (path.startsWith("/") || target.startsWith("..")) return fault("leads out of the repository");
    const place = placeOf(target);
    if (place === undefined) return fault("there is nothing there");
    if (anchor !== undefined && anchors.get(target)?.has(anchor) !== true)
      return fault(`"${anchor}" is no heading there`);
    const address = path === "" ? "" : relative(dirname(from.path), place);
    return anchor === undefined ? address : `${address}#${anchor}`;
  };
  return { resolve, faults, files };
}
