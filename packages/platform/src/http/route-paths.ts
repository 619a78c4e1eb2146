import type { Route } from "./route.ts";

const escapeForPattern = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, "\\$&");

const patternOf = ({ path }: Pick<Route, "path">): RegExp =>
  new RegExp(`^${escapeForPattern(path).replace(/\{\w+\}/g, "[^/]+")}$`);

/** Is the path that of one of these routes? */
export function matcherFor(routes: readonly Pick<Route, "path">[]): (path: string) => boolean {
  const patterns = routes.map(patternOf);
  return (path) => patterns.some((pattern) => pattern.test(path));
}

/** By which methods there is something at an address. */
export function makeMethodsAt(
  routes: readonly Pick<Route, "path" | "method">[],
): (url: string) => readonly string[] {
  const known = routes.map(({ path, method }) => ({ method, pattern: patternOf({ path }) }));
  return (url) => {
    const [path = ""] = url.split("?");
    return [...new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
  };
}
