/** Spanish. */
import { loadWords } from "../../force/ordinary-words.ts";
import { makeGrammar } from "../grammar.ts";

const list = (text: string): readonly string[] => text.split(" ");
const join = (...groups: readonly (readonly string[])[]): string => groups.flat().join(", ");
const pairs = (firsts: readonly string[], seconds: readonly string[]): readonly string[] =>
  firsts.flatMap((first) => seconds.map((second) => `${first} ${second}`));
/** "manda" with what is written together with it: "mándale", "mándaselo". */
const withClitics = (verbs: readonly string[]): readonly string[] =>
  verbs.flatMap((verb) =>
    list("le les me nos lo la los las selo sela selos selas melo melos").map((clitic) => verb + clitic),
  );

/** Orders to one person, and to several. */
const payOrders = list(
  "envia manda paga transfiere pasa gira abona dona regala entrega ingresa traspasa devuelve reembolsa remite mueve liquida salda suelta lanza tira reenvia desembolsa libera acredita deposita aporta reintegra retorna",
);
const payPlurals = list(
  "envien manden paguen transfieran pasen giren abonen donen regalen entreguen ingresen traspasen devuelvan reembolsen remitan muevan liquiden salden desembolsen liberen depositen reintegren",
);
const payInfinitives = list(
  "enviar mandar pagar transferir pasar girar abonar donar regalar entregar ingresar traspasar devolver reembolsar remitir mover liquidar saldar soltar reenviar desembolsar liberar acreditar depositar aportar reintegrar retornar",
);
/** Polite orders that no past form resembles. */
const payFormal = list("transfiera devuelva remita mueva");
/** Polite orders that are spelt like "I paid" but for the accent, which is not compared: they count only after a phrase that asks. */
const payAmbiguous = list(
  "envie mande pague pase gire abone done regale entregue ingrese traspase reembolse liquide salde desembolse libere deposite reintegre",
);
const paySubjunctives = list(
  "envies mandes pagues transfieras pases gires abones dones regales entregues ingreses traspases devuelvas reembolses remitas muevas liquides saldes deposites",
);

/** Phrases that ask with a verb in the subjunctive. */
const wishes =
  "quiero que, quisiera que, necesito que, necesitamos que, queremos que, te pido que, le pido que, les pido que, os pido que, te ruego que, le ruego que, les ruego que, le ruego, les ruego, le solicito que, les solicito que, solicito que, te agradezco que, te agradecería que, le agradecería que, les agradecería que, le agradeceré que, agradecería que, agradeceré que, agradecemos que, me gustaría que, nos gustaría que, deseo que, preciso que, es necesario que, hace falta que, pido que, me urge que, le encargo que, te encargo que, le agradezco que".split(
    ", ",
  );
const ambiguously = (verbs: readonly string[]): readonly string[] => [
  ...pairs([...wishes, "por favor", "porfavor", "favor", "sírvase y"], verbs),
  ...pairs(verbs, ["por favor", "porfavor", "usted", "usted por favor"]),
  ...pairs(pairs(wishes, list("le les me nos")), verbs),
];

const infinitiveAsks =
  "quiero, quisiera, quería, necesito, necesitamos, queremos, querría, querríamos, quisiéramos, me gustaría, nos gustaría, deseo, deseamos, preciso, puedes, podés, puede, pueden, podrías, podría, podrían, podéis, podríais, me puedes, me puede, me podrías, me podría, nos puedes, nos podrías, le puedes, le podrías, puedes por favor, podrías por favor, tienes que, hazme el favor de, haz el favor de, haga el favor de, me haces el favor de, me harías el favor de, me hace el favor de, me hacen el favor de, serías tan amable de, sería tan amable de, sé tan amable de, si eres tan amable de, favor de, favor, sírvase, sírvanse, ayúdame a, ayúdeme a, ayúdanos a, me ayudas a, me ayudarías a, me podrías ayudar a, me puedes ayudar a, procede a, proceda a, procedan a, es hora de, es momento de, quiero pedirte, te encargo, le encargo, le pido, te pido, les pido, le ruego, te ruego, les ruego, te importaría, le importaría, te importa, recuerda, no olvides, no te olvides de, acuérdate de, estoy listo para, estoy lista para, te autorizo a, le autorizo a, les autorizo a, por la presente le solicito, por la presente solicito, solicito, solicitamos, le solicito, les solicito, se solicita, se ruega, se requiere, requiero, requerimos, necesitaría, agradecería, agradeceré, te agradecería, me urge, tu tarea es, su tarea es, asegúrate de, ve y, venga y, anda y, a ver si puedes, me das una mano para, ordeno, instruyo, te instruyo a, le instruyo a, pido, pedimos".split(
    ", ",
  );

/** A day or a month that says which dinner it was; on its own it would say when to pay. */
const dated = [
  ...pairs(["del", "de este", "del pasado"], list("lunes martes miércoles jueves viernes sábado domingo")),
  ...pairs(
    ["de", "de este", "del pasado mes de"],
    list(
      "enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre",
    ),
  ),
];

const isTold = /(?:aron|ieron|yeron|jeron|aba|aban|amos|emos|imos|abamos|ando|endo|[^aeiou]ia|ian|io|i|o)$/;
/** Verbs that can have a request as their subject: "it ended". */
const couldBeRequest =
  /^(?:termin|cerr|cierr|fech|cumpl|cumpr|acab|ca[iy]|muri|muer|morr|romp|fallec|quem|dan|estrope|averi|avari|empez|empec|comenz|comec|nac|nasc|venc|perd|pierd|choc|funcion|quebr|pif|estrag|vaz|queim|rach|qued|fic|volv|volt|regres|sal|sai|entr)/;
/** Forms of ordinary verbs that are never orders. */
const told = [...loadWords("es", "verbs")].filter((word) => isTold.test(word) && !couldBeRequest.test(word));

export const spanish = makeGrammar("es", {
  pay: join(
    payOrders,
    withClitics(payOrders),
    payPlurals,
    withClitics(payPlurals),
    payInfinitives,
    withClitics(payInfinitives),
    payFormal,
    withClitics(payFormal),
    withClitics(payAmbiguous),
    paySubjunctives,
    ambiguously(payAmbiguous),
    pairs(
      list(
        "haz hagan hacer realiza realizar realicen efectúa efectuar efectúen ejecuta ejecutar ejecuten tramita tramitar procesa procesar ordena ordenar autoriza autorizar autoricen aprueba apruebe aprueben aprobar libera liberar",
      ),
      pairs(list("un el"), [
        "pago de",
        "envío de",
        "abono de",
        "reembolso de",
        "giro de",
        "traspaso de",
        "ingreso de",
        "pago por",
        "pago",
      ]),
    ),
    pairs(
      list(
        "haz hagan hacer realiza realizar realicen efectúa efectuar efectúen ejecuta ejecutar ejecuten tramita tramitar procesa procesar ordena ordenar autoriza autorizar autoricen aprueba apruebe aprueben aprobar libera liberar",
      ),
      pairs(list("una la"), [
        "transferencia de",
        "donación de",
        "devolución de",
        "transferencia por",
        "transferencia",
        "remesa de",
      ]),
    ),
    pairs(
      list("solicito solicitamos ordeno ordenamos pido pedimos autorizo autorizamos requiero requerimos"),
      [
        ...pairs(list("el un"), ["pago de", "envío de", "abono de", "reembolso de"]),
        ...pairs(list("la una"), [
          "transferencia de",
          "transferencia inmediata de",
          "donación de",
          "devolución de",
        ]),
      ],
    ),
  ),
  approve: join(ambiguously(list("autorice habilite"))),
  revoke: join(ambiguously(list("revoque quite elimine cancele anule retire borre"))),
  revoked: join(ambiguously(["revoque"])),
  convert: join(ambiguously(list("cambie intercambie canjee"))),
  ask: join(infinitiveAsks, wishes, pairs(wishes, list("le les me nos"))),
  it: join(
    pairs(
      list("es son"),
      list(
        "el la los las lo un una unos unas mi mis su sus nuestro nuestra para por de del este esta ese esa otro otra parte",
      ),
    ),
  ),
  cop: join(told),
  own: join(dated),
});
