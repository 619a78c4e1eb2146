/** Portuguese, of Brazil and of Portugal. */
import { loadWords } from "../../force/ordinary-words.ts";
import { makeGrammar } from "../grammar.ts";

const list = (text: string): readonly string[] => text.split(" ");
const join = (...groups: readonly (readonly string[])[]): string => groups.flat().join(", ");
const pairs = (firsts: readonly string[], seconds: readonly string[]): readonly string[] =>
  firsts.flatMap((first) => seconds.map((second) => `${first} ${second}`));
/** "envia-lhe": the hyphen separates words. */
const withClitics = (verbs: readonly string[]): readonly string[] => [
  ...verbs,
  ...pairs(verbs, list("lhe lhes me nos o a os as lho lhos aí ai logo la lá")),
];

const payOrders = list(
  "envia envie enviem envies manda mande mandem mandes paga pague paguem pagues transfere transfira transfiram transfiras passa passe passem repassa repasse repassem doa doe doem entrega entregue entreguem remete remeta remetam deposita deposite depositem devolve devolva devolvam devolvas reembolsa reembolse reembolsem reembolses estorna estorne estornem quita quite quitem move mova movam solta solte joga jogue acerta acerte acertem liquida liquide liquidem salda salde encaminha encaminhe encaminhem credita credite creditem presenteia presenteie reenvia reenvie contribua oferece ofereça desembolsa desembolse retorna retorne restitua ressarce ressarça pixa gira gire",
);
const payInfinitives = list(
  "enviar mandar pagar transferir passar repassar doar entregar remeter depositar devolver reembolsar estornar quitar mover soltar jogar acertar liquidar saldar encaminhar creditar presentear reenviar contribuir oferecer desembolsar retornar restituir ressarcir",
);
const doers = list(
  "faz faça façam faças fazer realiza realize realizem realizar efetua efetue efetuem efetuar efectua efectue efectuem efectuar executa execute executem executar processa processe processar providencia providencie providenciem providenciar ordena ordene ordenar autoriza autorize autorizem autorizar aprova aprove aprovem aprovar libera libere liberem liberar",
);
const payments = [
  ...pairs(list("um o"), [
    "pagamento de",
    "envio de",
    "repasse de",
    "reembolso de",
    "depósito de",
    "estorno de",
    "pix de",
    "pagamento",
    "ressarcimento de",
  ]),
  ...pairs(list("uma a"), ["transferência de", "doação de", "devolução de", "remessa de", "transferência"]),
  ...list("pagamento transferência envio doação").map((payment) => `${payment} de`),
];

const wishes =
  "quero que, quero que você, quero que vocês, queria que, queria que você, gostaria que, gostaria que você, preciso que, preciso que você, preciso que vocês, precisamos que, peço que, peço que você, peço-lhe que, peço lhe que, peço te que, pedimos que, solicito que, solicitamos que, agradeço que, agradecia que, agradeceria que, agradeceria se, é necessário que, é preciso que, desejo que, necessito que, favor, peço o favor de que".split(
    ", ",
  );

const isTold = /(?:aram|eram|iram|ava|avam|amos|emos|imos|ando|endo|indo|ou|eu|iu|ei|ia|iam|i|o)$/;
/** Verbs that can have a request as their subject: "it ended". */
const couldBeRequest =
  /^(?:termin|cerr|cierr|fech|cumpl|cumpr|acab|ca[iy]|muri|muer|morr|romp|fallec|quem|dan|estrope|averi|avari|empez|empec|comenz|comec|nac|nasc|venc|perd|pierd|choc|funcion|quebr|pif|estrag|vaz|queim|rach|qued|fic|volv|volt|regres|sal|sai|entr)/;
/** Forms of ordinary verbs that are never orders. */
const told = [...loadWords("pt", "verbs")].filter((word) => isTold.test(word) && !couldBeRequest.test(word));

/** A day or a month that says which dinner it was; on its own it would say when to pay. */
const dated = [
  ...pairs(
    ["de", "da", "do", "do último", "da última"],
    list(
      "segunda terça quarta quinta sexta segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
    ),
  ),
  ...pairs(
    ["de", "do mês de"],
    list("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
  ),
];

export const portuguese = makeGrammar("pt", {
  pay: join(
    withClitics(payOrders),
    withClitics(payInfinitives),
    pairs(doers, payments),
    pairs(list("solicito solicitamos peço pedimos ordeno ordenamos autorizo autorizamos requeiro"), payments),
    pairs(list("solicito solicitamos peço pedimos requeiro"), [
      "a transferência imediata de",
      "o pagamento imediato de",
    ]),
  ),
  approve: join(
    withClitics(
      list(
        "aprova aprove aprovem aprovar autoriza autorize autorizem autorizar autorizo autorizamos permite permita permitam permitir habilita habilite habilitar",
      ),
    ),
  ),
  revoke: join(
    withClitics(
      list(
        "revoga revogue revoguem revogar cancela cancele cancelem cancelar remove remova removam remover tira tire tirem tirar retira retire retirem retirar anula anule anulem anular zera zere zerem zerar elimina elimine eliminem eliminar apaga apague apagar desautoriza desautorize desautorizar desativa desative desativar desfaz desfaça",
      ),
    ),
  ),
  convert: join(
    withClitics(
      list(
        "converte converta convertam converter troca troque troquem trocar vende venda vendam vender permuta permute permutar transforma transforme transformar cambia cambie swapa swape swapar negocia negocie",
      ),
    ),
  ),
  ask: join(wishes),
  it: join(
    pairs(
      list("é são"),
      list(
        "o a os as um uma uns umas meu minha meus minhas seu sua nosso nossa para pra por pelo pela de do da este esta esse essa outro outra parte",
      ),
    ),
  ),
  cop: join(told),
  own: join(dated),
});
