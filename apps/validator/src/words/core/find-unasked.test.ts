import { expect, test } from "vitest";
import { startEngine } from "../../../test/real-engine.ts";
import { A } from "../../../test/words.ts";

const engine = startEngine();
const decisionOn = async (text: string): Promise<string | undefined> => {
  const proposed_tx = {
    ...{ chainId: 8453, to: A, value: "250000000000000000", data: "0x" },
    from: "0x1111111111111111111111111111111111111111",
  };
  const { ask } = await engine;
  return (await ask(JSON.stringify({ human_intent: text.replace("{A}", A), proposed_tx })))?.decision;
};

test.each(
  `0.25 ETH to {A}, Base|Base / 0.25 ETH / {A}|Rent: 0.25 ETH on Base to {A}. Thanks!|0.25 ETH on Base to {A} for the concert tickets|{A} gets 0.25 ETH on Base.|0,25 ETH auf Base an {A}, Miete|{A} bekommt 0,25 ETH auf Base|0,25 ETH en Base para {A}, alquiler|0,25 ETH na Base para {A}, aluguel|0,25 ETH sur Base à {A}, loyer`.split(
    "|",
  ),
)("“%s” lists what is to be paid", async (text) => {
  expect(await decisionOn(text)).toBe("PASS");
});

test.each(
  `0.25 ETH to {A} on Base, coming out of my sister's wallet.|0.25 ETH on Base to {A}. Ravi's signature is missing.|0.25 ETH on Base to {A}: my brother takes care of it.|~~0.25 ETH on Base to {A}~~|0.25 ETH on Base to {A} stays where it is.|0,25 ETH auf Base an {A}. Das übernimmt diesmal Paul.|0,25 ETH auf Base an {A}. Eine Unterschrift fehlt noch.|Das Senden von 0,25 ETH auf Base an {A} erledigt meine Mutter.|Los 0,25 ETH en Base para {A} los pone mi hermano.|De enviar 0,25 ETH en Base a {A} se ocupa mi madre.|0,25 ETH en Base para {A}, después de Pascua.|0,25 ETH na Base para {A}: fica por conta do meu irmão.|0,25 ETH sur Base à {A}, c'est ma sœur qui s'en occupe.|0,25 ETH sur Base à {A} pour que mon frère arrête de chanter.|等小李写完，再在Base上给{A}打0.25个ETH。`.split(
    "|",
  ),
)("“%s” says something about a payment and asks for none", async (text) => {
  expect(await decisionOn(text)).toBe("REJECT");
});

test.each(
  `Send 0.25 ETH on Base to {A}, Annulé|Send 0.25 ETH on Base to {A} (Nein danke)|Send 0.25 ETH on Base to {A}, Storniert|Send 0.25 ETH on Base to {A}, Borrador|0.25 ETH on Base to {A}, Basta|Send 0.25 ETH on Base to {A}, just an idea|Envía 0,25 ETH en Base a {A}, una idea|Envía 0,25 ETH en Base a {A}, es broma|Sende 0,25 ETH auf Base an {A}, war nur ein Scherz`.split(
    "|",
  ),
)("“%s” ends with a remark that may withdraw the request", async (text) => {
  expect(await decisionOn(text)).toBe("REJECT");
});

test.each(
  `Send 0.25 ETH on Base to {A}. Thanks, Maria|Send 0.25 ETH on Base to {A} for Maria's flat in Leipzig|Send 0.25 ETH on Base to Joel Harkness at {A}|Envía 0,25 ETH en Base a {A}, es para el alquiler`.split(
    "|",
  ),
)("“%s” names a person or a thing", async (text) => {
  expect(await decisionOn(text)).toBe("PASS");
});

test.each(
  `Send 0.25 ETH on Base to {A}, and ask bob.eth whether he agrees.|0.25 ETH on Base to {A}. bob.eth takes care of it.|Send 0.25 ETH on Base to {A}. We decide on 03/04/2025 whether we want it.`.split(
    "|",
  ),
)("“%s” has a value that no reading compares, and a sentence about the request", async (text) => {
  expect(await decisionOn(text)).toBe("REJECT");
});
