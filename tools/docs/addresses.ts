// A document names the addresses of `npm run dev`. The system it is run against may be elsewhere.
import { urlsOf, type StackUrls } from "../dev/parts.ts";
import { defaultPorts } from "../dev/ports.ts";

export type Translation = {
  /** From the addresses that documents name to those of the running system. */
  readonly toSystem: (text: string) => string;
  readonly toDocument: (text: string) => string;
};

export function translationTo(urls: StackUrls): Translation {
  const shown = urlsOf(defaultPorts);
  const pairs = (Object.keys(shown) as (keyof StackUrls)[]).map(
    (name) => [new URL(shown[name]).host, new URL(urls[name]).host] as const,
  );
  const toSystem = new Map(pairs);
  const toDocument = new Map(pairs.map(([document, system]) => [system, document]));
  return { toSystem: replaceBy(toSystem), toDocument: replaceBy(toDocument) };
}

const replaceBy =
  (hosts: ReadonlyMap<string, string>) =>
  (text: string): string =>
    text.replaceAll(
      /\b(?:127\.0\.0\.1|localhost):(\d+)\b/g,
      (found, port: string) => hosts.get(`127.0.0.1:${port}`) ?? found,
    );
