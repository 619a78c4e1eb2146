// Loaded into a server that fetches the settings of its documentation search when it starts, which it cannot do without a network. Only
// that request is answered here; the search itself is not used.
const { fetch, Request, Response, URL } = globalThis;

globalThis.fetch = async (input, init) =>
  new URL(input instanceof Request ? input.url : input).hostname === "leaves.mintlify.com"
    ? Response.json({ name: "Sei", trieveApiKey: "none", trieveDatasetId: "none" })
    : fetch(input, init);
