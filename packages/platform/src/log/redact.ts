/**
 * The second net under the allow-list: what looks like a credential is blotted out of every text that is logged, also
 * out of messages and stacks that a library wrote.
 */
const secrets: readonly RegExp[] = [
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/gi,
  /\bcs_[a-z]+_[A-Za-z0-9_]{16,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g,
  /\b0x[0-9a-fA-F]{130}\b/g,
  /(?<=:\/\/[^\s:/@]*:)[^\s@/]+(?=@)/g,
  // Also access_token, api-key, client_secret, code_verifier and their like.
  /(?<=[?&][\w.-]*(?:code|token|key|secret|signature|verifier|assertion|password)=)[^\s&"']+/gi,
];

/** Each of the above contains one of these. A short text without them, such as a route, is looked at once and quickly. */
const anyTrace = /[\s=@]|cs_|eyj|0x/i;

/** One look for all of them: nearly every text has none, and every log line passes here. */
const anySecret = new RegExp(secrets.map(({ source }) => source).join("|"), "i");

export const redact = (text: string): string =>
  anyTrace.test(text) && anySecret.test(text)
    ? secrets.reduce((left, secret) => left.replace(secret, "[redacted]"), text)
    : text;
