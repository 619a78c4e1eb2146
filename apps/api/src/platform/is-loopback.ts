const loopbackHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]", "::1"]);

/** Whether a host, with or without a port, is a usual name of this machine. */
export const isLoopback = (host: string): boolean =>
  loopbackHosts.has(host) || loopbackHosts.has(host.replace(/:\d+$/, ""));
