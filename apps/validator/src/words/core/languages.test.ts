import { describe, expect, test } from "vitest";
import { asksFor } from "../../../test/core.ts";

type Language = {
  readonly requests: readonly string[];
  /** Sentences that take a request back, put it off, or make it something else. */
  readonly takeBack: string;
  readonly framings: string;
  readonly harmless: string;
};

const languages: Readonly<Record<string, Language>> = {
  es: {
    requests: ["Por favor envía 5 ETH a {A}", "Págale 5 USDC a mi casero en Base, su dirección es {A}"],
    takeBack:
      "Olvídalo.|Mejor no.|No lo hagas.|Todavía no.|Mañana.|La semana que viene.|El viernes.|Cuando ella confirme.|Si él acepta.|Después de comer.|Espera.|Cancélalo.|He cambiado de idea.|El consejo lo vetó.|Era broma.|Es un ejemplo.|Es solo un borrador.|¿Qué opinas?|Ya lo hice.|Ya está pagado.|La mitad.|O 6 ETH.|En USDT.|A otra dirección.|Recuérdamelo.|Pregúntame antes.|No.|Nunca.|Menos la comisión.|Ella se negó.",
    framings: "No|Nunca|No hace falta que|Mañana|Si puedes mañana,|Dijo:|Ejemplo:|Imagina que",
    harmless: "¡Gracias!|Es para el alquiler.|Un saludo, Marisol",
  },
  pt: {
    requests: ["Por favor envie 5 ETH para {A}", "Pague 5 USDC na Base para {A}"],
    takeBack:
      "Esquece.|Melhor não.|Não faça isso.|Ainda não.|Amanhã.|Na semana que vem.|Na sexta-feira.|Quando ela confirmar.|Se ele aceitar.|Depois do almoço.|Espera.|Cancela.|Mudei de ideia.|O conselho vetou.|Era brincadeira.|É um exemplo.|É só um rascunho.|O que você acha?|Já fiz.|Já foi pago.|A metade.|Ou 6 ETH.|Em USDT.|Para outro endereço.|Me lembre.|Pergunte antes.|Não.|Nunca.|Ela recusou.",
    framings: "Não|Nunca|Amanhã|Ele disse:|Exemplo:|Imagine que",
    harmless: "Obrigado!|É para o aluguel.|Obrigado, Davi",
  },
  fr: {
    requests: ["Envoie 5 ETH à {A} s'il te plaît", "Merci de transférer 5 USDC sur Base à {A}"],
    takeBack:
      "Laisse tomber.|Finalement non.|Ne le fais pas.|Pas encore.|Demain.|La semaine prochaine.|Vendredi.|Quand elle confirmera.|S'il accepte.|Après le déjeuner.|Attends.|Annule ça.|J'ai changé d'avis.|Le conseil a mis son veto.|C'était une blague.|C'est un exemple.|Ce n'est qu'un brouillon.|Qu'en penses-tu ?|C'est déjà fait.|Je l'ai déjà payé.|La moitié.|Ou 6 ETH.|En USDT.|À une autre adresse.|Rappelle-le-moi.|Demande-moi avant.|Non.|Jamais.|Elle a refusé.",
    framings: "N'|Ne jamais|Demain|Il a dit :|Exemple :|Imagine que",
    harmless: "Merci !|C'est pour le loyer.|Bonne journée, Manon",
  },
  de: {
    requests: ["Bitte überweise 5 ETH an {A}", "Sende 5 USDC auf Base an {A}"],
    takeBack:
      "Vergiss es.|Doch nicht.|Lieber nicht.|Mach das nicht.|Noch nicht.|Morgen.|Nächste Woche.|Am Freitag.|Sobald sie zustimmt.|Wenn er zusagt.|Nach dem Essen.|Warte.|Storniere das.|Ich habe es mir anders überlegt.|Der Vorstand hat das abgelehnt.|Das war ein Witz.|Das ist ein Beispiel.|Das ist nur ein Entwurf.|Was meinst du?|Schon erledigt.|Ist schon bezahlt.|Die Hälfte.|Oder 6 ETH.|In USDT.|An eine andere Adresse.|Erinnere mich.|Frag mich vorher.|Nein.|Nie.|Sie hat sich geweigert.",
    framings: "Niemals|Morgen|Er sagte:|Beispiel:|Stell dir vor,",
    harmless: "Danke!|Das ist für die Miete.|Viele Grüße, Hannah",
  },
};

describe.each(Object.entries(languages))("a sentence next to a request in %s", (_, language) => {
  const { requests, takeBack, framings, harmless } = language;
  test("alone the request is read", () => {
    expect(requests.map((request) => asksFor(`${request}.`))).toEqual([
      "Send 5 ETH to {A}.",
      "Send 5 USDC to {A} on base.",
    ]);
  });
  test.each(takeBack.split("|"))("“%s” after it leaves it unread", (sentence) => {
    expect(requests.filter((request) => asksFor(`${request}. ${sentence}`) !== null)).toEqual([]);
  });
  test.each(framings.split("|"))("“%s” before it leaves it unread", (framing) => {
    const first = requests.map((request) => request.replace(/^(?:Por favor|Bitte|Merci de) ?/, ""));
    expect(first.filter((request) => asksFor(`${framing} ${request}.`) !== null)).toEqual([]);
  });
  test.each(harmless.split("|"))("“%s” after it changes nothing", (sentence) => {
    expect(requests.filter((request) => asksFor(`${request}. ${sentence}`) === null)).toEqual([]);
  });
});
