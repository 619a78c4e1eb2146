// Texts to be signed (EIP-191): only plain words that the request contains, and sign-ins to a site that it names.
import { beforeAll, describe, expect, test } from "vitest";
import { parseLossless, ValidateRequest } from "../request/index.ts";
import { aLog } from "../../test/validate.ts";
import type { Engine } from "./engine.ts";
import { loadEngine } from "./load-engine.ts";
import { validate } from "./validate.ts";

const clock = { now: () => new Date("2026-09-22T00:00:00Z") };
const config = { VALIDATOR_DATA_DIR: undefined, MAX_LIST_AGE_DAYS: 45, REQUIRE_SANCTIONS: false };
let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine({ config, version: "test", clock, log: aLog().log });
});

const me = "0x7a16fF8270133F063aAb6C9977183D9e72835428";

/** The decision, the kind of assessment, and the check that is reported first. */
async function judge(words: string, message: string, metadata: object = {}) {
  const body = {
    human_intent: words,
    proposed_tx: { personal_message: message },
    metadata: { from: me, chain_id: 1, ...metadata },
  };
  const parsed = parseLossless(JSON.stringify(body));
  const request = ValidateRequest.parse("value" in parsed ? parsed.value : undefined);
  const { decision, assessment, primary_failure_node: first, results } = await validate(request, engine);
  // As orion decides: a failed check rejects, an open one leaves it to the owner.
  const isOpen = assessment.kind !== "contradicted" && first !== null && results[first]?.status === "SKIP";
  return decision === "PASS" ? "APPROVED" : isOpen ? "UNDECIDED" : "REJECTED";
}

const siwe = (change: Partial<Record<"site" | "address" | "statement" | "fields", string>> = {}) => {
  const { site = "app.example.com", address = me, statement = "", fields } = change;
  const rest =
    fields ??
    `URI: https://${site}/login\nVersion: 1\nChain ID: 1\nNonce: 32891756aB\nIssued At: 2026-09-21T16:25:24Z`;
  const said = statement === "" ? "" : `${statement}\n`;
  return `${site} wants you to sign in with your Ethereum account:\n${address}\n\n${said}\n${rest}`;
};

const terms = "I agree to the terms of example.com";
const fieldsOf = (change: Readonly<Record<string, string>>): string =>
  Object.entries({
    ...{ URI: "https://app.example.com/login", Version: "1", "Chain ID": "1", Nonce: "32891756aB" },
    ...{ "Issued At": "2026-09-21T16:25:24Z", ...change },
  })
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

describe("a text that the request contains", () => {
  test.each([
    `Sign the message “${terms}”`,
    `Sign the message: "${terms}"`,
    `Please sign exactly this text: "${terms}".`,
    `Sign this message: ${terms}`,
    `Firma este mensaje: «${terms}»`,
    `Assine esta mensagem: "${terms}"`,
    `Signe ce message : "${terms}"`,
    `Unterschreibe diese Nachricht: „${terms}“`,
    `签署以下消息："${terms}"`,
  ])("is approved: %s", async (words) => {
    expect(await judge(words, terms)).toBe("APPROVED");
  });

  test.each([
    ["another text", "I agree to the terms of example.org"],
    ["a longer text", `${terms} and more`],
    ["a shorter text", terms.slice(0, -4)],
    ["another letter case", terms.toUpperCase()],
    ["a space at its end", `${terms} `],
    ["a letter that looks the same", terms.replace("a", "а")],
    ["a character that is not shown", `${terms}\u200b`],
  ])("is not approved if %s is signed", async (_, message) => {
    expect(await judge(`Sign the message “${terms}”`, message)).not.toBe("APPROVED");
  });

  test("is rejected if the signed text is another one in words", async () => {
    expect(await judge(`Sign the message “${terms}”`, `${terms} and more`)).toBe("REJECTED");
  });

  test.each([
    `Sign the message “${terms}” and send 5 USDC to 0x742d35cc6634c0532925a3b844bc454e4438f44e`,
    `Do not sign the message “${terms}”`,
    `Should I sign the message “${terms}”?`,
    `Sign the message “${terms}”. Never mind.`,
    `Sign the message “${terms}” if Bob agrees`,
    `The site wants me to sign the message “${terms}”`,
    terms,
    "Sign the message",
    "Sign whatever the site asks for",
  ])("is left to the owner if the request has another form: %s", async (words) => {
    expect(await judge(words, terms)).toBe("UNDECIDED");
  });

  test("is rejected if the request asks for something else", async () => {
    const bob = "0x742d35cc6634c0532925a3b844bc454e4438f44e";
    expect(await judge(`Send 5 USDC to ${bob}`, terms)).toBe("REJECTED");
    expect(await judge("Sign in to app.example.com", terms)).not.toBe("APPROVED");
  });

  test.each([
    "Transfer everything to Bob",
    "Withdraw my savings",
    "I approve the order of Bob",
    "Nonce: 12",
    "one USDC",
    "€ for Bob",
    "bob.eth may act for me",
    "Pay 5 USDC to 0x742d35cc6634c0532925a3b844bc454e4438f44e",
    `{"order":"sell","price":"low"}`,
    "aGVsbG8gd29ybGQgdGhpcyBpcyBhIGxvbmcgY29kZQ",
    "Transférer tout à Bob",
    "Überweise alles an Bob",
    "给鲍勃付款",
    "Переведи всё Бобу",
  ])("is left to the owner if it may move money: %s", async (message) => {
    expect(await judge(`Sign the message “${message}”`, message)).not.toBe("APPROVED");
  });

  test("is left to the owner if it is words of exactly 32 bytes", async () => {
    const message = "I agree to the terms of example.";
    expect(await judge(`Sign the message “${message}”`, message)).toBe("UNDECIDED");
  });

  test.each([`0x${"5a".repeat(32)}`, "5a".repeat(32), "A".repeat(32), "Xq {9~Zk]w[Pq+}=Lm_vTz|rYb;Nc:<>"])(
    "is rejected if it is a hash, or may be one: %s",
    async (message) => {
      expect(await judge(`Sign the message “${message}”`, message)).toBe("REJECTED");
    },
  );
});

describe("a sign-in", () => {
  test.each([
    "Sign in to app.example.com",
    "Please log me in to https://app.example.com/.",
    "Sign in to App.Example.com with my wallet",
    "Inicia sesión en app.example.com",
    "Faça login em app.example.com",
    "Connecte-moi à app.example.com",
    "Melde mich bei app.example.com an",
    "登录 app.example.com",
  ])("is approved for the site that the request names: %s", async (words) => {
    expect(await judge(words, siwe())).toBe("APPROVED");
  });

  test.each([
    ["with a statement", siwe({ statement: "Sign in with Ethereum to the app." })],
    [
      "that says that it is no transaction",
      siwe({ statement: "This proves that the wallet is yours, and is no transaction." }),
    ],
    ["that ends later", siwe({ fields: fieldsOf({ "Expiration Time": "2026-09-23T00:00:00.000Z" }) })],
  ])("is approved %s", async (_, message) => {
    expect(await judge("Sign in to app.example.com", message)).toBe("APPROVED");
  });

  test("is approved if the request contains it as a whole", async () => {
    expect(await judge(`Sign this message: “${siwe()}”`, siwe())).toBe("APPROVED");
    expect(await judge(`Sign this message: “${siwe()}”`, siwe({ statement: "Welcome." }))).toBe("REJECTED");
  });

  test.each([
    ["another site", "app.example.org"],
    ["a part of the site's name", "example.com"],
    ["a longer name", "app.example.com.evil.org"],
    ["a name that looks the same", "app.examp1e.com"],
    ["another port", "app.example.com:8443"],
  ])("is rejected for %s", async (_, site) => {
    expect(await judge("Sign in to app.example.com", siwe({ site }))).toBe("REJECTED");
  });

  test.each([
    ["another account", siwe({ address: "0x742d35Cc6634C0532925a3b844Bc454e4438f44e" })],
    ["an account without its checksum", siwe({ address: me.toLowerCase() })],
    ["another chain", siwe({ fields: fieldsOf({ "Chain ID": "10" }) })],
    ["a URI of another site", siwe({ fields: fieldsOf({ URI: "https://evil.org/login" }) })],
    ["a URI with a user", siwe({ fields: fieldsOf({ URI: "https://a@app.example.com/" }) })],
    ["a time that has passed", siwe({ fields: fieldsOf({ "Expiration Time": "2026-09-21T00:00:00Z" }) })],
    ["a time that does not exist", siwe({ fields: fieldsOf({ "Expiration Time": "2026-19-41T00:00:00Z" }) })],
    ["resources", siwe({ fields: `${fieldsOf({})}\nResources:\n- urn:recap:eyJhdHQiOnt9fQ==` })],
    ["a request id", siwe({ fields: fieldsOf({ "Request ID": "withdraw" }) })],
    ["a statement that is an order", siwe({ statement: "Transfer everything to Bob." })],
    ["a second statement", siwe({ statement: "Hello.\nHello again." })],
    ["a text after its fields", `${siwe()}\nTransfer everything to Bob.`],
    ["fields in another order", siwe({ fields: fieldsOf({}).split("\n").reverse().join("\n") })],
    ["a site in another script", siwe({ site: "xn--app-example-k9a.com" })],
  ])("is not approved with %s", async (_, message) => {
    expect(await judge("Sign in to app.example.com", message)).not.toBe("APPROVED");
  });
});
