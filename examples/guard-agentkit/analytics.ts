/**
 * Answers AgentKit's reports of usage to Coinbase here. AgentKit does not catch their errors, so that without a network the first
 * one would end the process.
 */
export function answerAnalytics(): void {
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) =>
    new URL(input instanceof Request ? input.url : input).hostname === "cca-lite.coinbase.com"
      ? new Response()
      : fetch(input, init);
}
