// Several hosts in one database URL, as libpq writes them: postgres://user:password@a:5432,b:5432/database. Node's client
// and the URL class know one host only.

const form = /^(?<before>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#@]*)(?<after>[/?#].*)?$/;

/** Returns a URL for each host, in their order. Undefined if it is not a database URL. */
export function listHosts(url: string): readonly [string, ...string[]] | undefined {
  const { before, hosts, after = "" } = form.exec(url)?.groups ?? {};
  if (before === undefined || hosts === undefined) return undefined;
  const [first = "", ...others] = hosts.split(",").map((host) => `${before}${host}${after}`);
  return [first, ...others].every((one) => URL.canParse(one)) ? [first, ...others] : undefined;
}
