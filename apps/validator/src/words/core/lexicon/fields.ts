/** The labels of forms, by what the field holds. English labels are used in every language. */

export const fieldNames = [
  "action",
  "asset",
  "amount",
  "party",
  /** Who may spend an allowance. */
  "spender",
  "network",
  "venue",
  /** The asset that a swap gives, the one that it gets, and the least amount. */
  "give",
  "get",
  "least",
  "fee",
  /** A text that says why, or which document it is about. */
  "memo",
  /** That it is approved, or urgent. */
  "state",
] as const;
export type FieldName = (typeof fieldNames)[number];

type Labels = Readonly<Partial<Record<FieldName, string>>>;

const english: Labels = {
  action:
    "action, act, op, operation, task, type, order, instruction, job, command, do, what, action for agent, requested action, request type, order type, transaction type",
  asset: "token, asset, coin, currency, ccy, symbol",
  amount:
    "amount, amt, qty, quantity, how much, value, sum, total, size, allowance, new allowance, spending limit, spending cap, amount to send, amount to pay, payable, price, price agreed, agreed price, bill",
  party:
    "to, recipient, receiver, payee, beneficiary, destination, address, wallet, who, recipient address, destination address, wallet address, payee address, to address, payee wallet, recipient wallet, seller, vendor, supplier, contractor, contributor, contract, send to, pay to, dest, addr, for",
  spender: "spender, spender address, spending contract, approved spender",
  network: "chain, network, blockchain, net, rail, chain id, on chain, where",
  venue: "venue, dex, exchange, router, platform, protocol",
  give: "in, input, give, sell, from token, token in, amount in, sell amount, spend, pay with, source",
  get: "out, output, get, buy, token out, to token, receive, into, target",
  least:
    "min, min out, minimum, min received, minimum received, minimum out, min amount out, amount out min, amount out minimum, min output, minimum output, at least, floor, minout, amountoutmin, amountoutminimum, receive at least, minimum acceptable, least",
  fee: "fee, fee tier, pool, pool fee, tier, fee pool",
  memo: "reason, why, memo, purpose, description, subject, reference, ref, invoice, invoice no, ticket, ticket no, project, category, cost centre, cost center, department, requested by, prepared by, hours, period, for period, case, member, what for",
  state: "status, priority, urgency, approval, approved, approved by, review, signed off by",
};

const spanish: Labels = {
  action: "acción, operación, tarea, tipo, orden, instrucción",
  asset: "token, activo, moneda, divisa",
  amount: "importe, monto, cantidad, valor, total, cuánto, límite de gasto",
  party:
    "para, a, destinatario, destinataria, beneficiario, beneficiaria, destino, dirección, billetera, cartera, monedero, a quién, proveedor, quién",
  network: "red, cadena, dónde",
  venue: "plataforma, bolsa",
  give: "entrada, doy, vender, entrego",
  get: "salida, recibo, comprar, obtener",
  least: "mínimo, mínimo a recibir, mínimo recibido, al menos, salida mínima",
  fee: "comisión, pool",
  memo: "motivo, concepto, razón, por qué, referencia, asunto, factura, factura n, descripción, proyecto",
  state: "estado, prioridad, urgencia",
};

const portuguese: Labels = {
  action: "ação, operação, tarefa, tipo, ordem, instrução",
  asset: "token, ativo, moeda",
  amount: "valor, montante, quantia, quantidade, total, quanto",
  party:
    "para, destinatário, destinatária, beneficiário, beneficiária, destino, endereço, carteira, para quem, quem, fornecedor",
  network: "rede, blockchain, onde",
  venue: "plataforma, corretora",
  give: "entrada, vender, dou",
  get: "saída, receber, comprar, recebo",
  least: "mínimo, mínimo a receber, pelo menos, no mínimo, saída mínima",
  fee: "taxa, pool",
  memo: "motivo, razão, por quê, porquê, referência, assunto, fatura, descrição, projeto",
  state: "estado, status, prioridade, urgência",
};

const french: Labels = {
  action: "action, opération, tâche, type, ordre, instruction",
  asset: "jeton, token, actif, devise, monnaie",
  amount: "montant, somme, quantité, valeur, total, combien",
  party:
    "à, pour, destinataire, bénéficiaire, destination, adresse, portefeuille, à qui, qui, fournisseur, compte",
  network: "réseau, chaîne, blockchain, où",
  venue: "plateforme",
  give: "entrée, vendre, donne",
  get: "sortie, recevoir, acheter, reçois",
  least: "minimum, minimum à recevoir, minimum reçu, au moins, sortie minimale, mini",
  fee: "frais, pool",
  memo: "motif, raison, objet, pourquoi, référence, réf, facture, facture n, description, projet",
  state: "statut, état, priorité, urgence",
};

const german: Labels = {
  action: "aktion, vorgang, aufgabe, typ, art, auftrag, anweisung",
  asset: "token, währung, coin",
  amount: "betrag, summe, menge, wert, wie viel, wieviel, gesamt, höhe",
  party:
    "an, empfänger, empfängerin, begünstigter, ziel, adresse, wallet, an wen, wer, zieladresse, empfängeradresse, lieferant, zahlungsempfänger",
  network: "netz, netzwerk, kette, chain, wo",
  venue: "börse, plattform",
  give: "eingang, gebe, verkaufe",
  get: "ausgang, bekomme, kaufe, erhalte",
  least: "minimum, mindestens, mindestbetrag, mindestmenge, mindestens zu erhalten",
  fee: "gebühr, pool, gebührenstufe",
  memo: "grund, zweck, verwendungszweck, warum, wofür, referenz, betreff, rechnung, rechnungsnummer, beschreibung, projekt",
  state: "status, priorität, dringlichkeit",
};

export const labels: Readonly<Record<string, Labels | undefined>> = {
  en: english,
  es: spanish,
  pt: portuguese,
  fr: french,
  de: german,
};
