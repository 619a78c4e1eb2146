import { expect, test } from "vitest";
import { startEngine } from "../../test/real-engine.ts";
import { A } from "../../test/words.ts";

const from = "0x1111111111111111111111111111111111111111";
const value = "250000000000000000";
const wrap = {
  ...{ chainId: 8453, to: "0x4200000000000000000000000000000000000006", value, data: "0xd0e30db0", from },
};
const pay = { chainId: 8453, to: A, value, data: "0x", from };
const engine = startEngine();

const decisionOn = async (text: string): Promise<string | undefined> => {
  const proposed_tx = text.includes("{A}") ? pay : wrap;
  const { ask } = await engine;
  return (await ask(JSON.stringify({ human_intent: text.replace("{A}", A), proposed_tx })))?.decision;
};

test.each(
  `Ich habe vorhin auf Base 0,25 ETH in WETH umgewandelt.|Hab auf Base 0,25 ETH gewrappt.|Wir haben 0,25 ETH auf Base in WETH getauscht|Heute 0,25 ETH auf Base in WETH umgewandelt.|He convertido 0,25 ETH en WETH en Base.|Convertí 0,25 ETH a WETH en Base.|Acabo de envolver 0,25 ETH en Base.|Hoy envolvimos 0,25 ETH en Base.|Converti 0,25 ETH em WETH na Base.|Acabei de converter 0,25 ETH em WETH na Base.|Hoje embrulhamos 0,25 ETH na Base.|J'ai converti 0,25 ETH en WETH sur Base.|Je viens de convertir 0,25 ETH en WETH sur Base.|Nous avons emballé 0,25 ETH sur Base.|我刚在Base上把0.25 ETH换成了WETH|I wrapped 0.25 ETH on Base.|0.25 ETH wrapped on Base.|Ich habe 0,25 ETH auf Base an {A} gezahlt.|0,25 ETH auf Base an {A} überwiesen.|Er hat 0,25 ETH auf Base an {A} geschickt|Envié 0,25 ETH en Base a {A}.|Le pagué 0,25 ETH en Base a {A}|Hoy he pagado 0,25 ETH en Base a {A}|Acabei de mandar 0,25 ETH na Base para {A}|Mandamos 0,25 ETH na Base para {A} hoje|Foram enviados 0,25 ETH na Base para {A}|Je viens d'envoyer 0,25 ETH sur Base à {A}|Elle a viré 0,25 ETH sur Base à {A}|我刚给{A}在Base上转了0.25 ETH|I just sent 0.25 ETH on Base to {A}|Paid {A} 0.25 ETH on Base|0.25 ETH went to {A} on Base|0.25 ETH sent to {A} on Base`.split(
    "|",
  ),
)("“%s” reports an act and asks for none", async (text) => {
  expect(await decisionOn(text)).toBe("REJECT");
});

test.each(
  `Wrap 0.25 ETH on Base.|Wandle auf Base 0,25 ETH in WETH um.|Convierte 0,25 ETH a WETH en Base.|Converta 0,25 ETH em WETH na Base.|Convertis 0,25 ETH en WETH sur Base.|Überweise 0,25 ETH auf Base an {A}.|Envía 0,25 ETH en Base a {A}.|Manda 0,25 ETH na Base para {A}.|Envoie 0,25 ETH sur Base à {A}.|0.25 ETH to {A} on Base`.split(
    "|",
  ),
)("“%s” asks for the act", async (text) => {
  expect(await decisionOn(text)).toBe("PASS");
});
