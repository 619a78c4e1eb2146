// A smaller DEV set in five other languages, with their own tails.
export type Lang = "en" | "es" | "pt" | "fr" | "de" | "zh";

export const OTHER: Record<Exclude<Lang, "en">, Record<string, readonly string[]>> = {
  es: {
    transfer: [
      "Envía {give} a {to}{chain}",
      "Transfiere {give} a {to}{chain}, por favor",
      "Paga {give} a {to}{chain}",
    ],
    swap: [
      "Cambia {give} por {get}{on}{chain}",
      "Intercambia {give} por {get}{on}{chain}",
      "Quiero cambiar {give} por {get}{on}{chain}",
    ],
    supply: ["Deposita {give} en {venue}{chain}", "Presta {give} en {venue}{chain}"],
    withdraw: ["Retira {give} de {venue}{chain}"],
    borrow: ["Pide prestado {give} en {venue}{chain}"],
    repay: ["Devuelve {give} a {venue}{chain}"],
    approve: ["Aprueba {give} para {spender}{chain}", "Autoriza a {spender} a gastar {give}{chain}"],
    wrap: ["Envuelve {give} en WETH{chain}"],
    stake: ["Haz stake de {give} en {venue}"],
    bridge: ["Haz bridge de {give} de {src} a {dst}{on}"],
  },
  pt: {
    transfer: [
      "Envie {give} para {to}{chain}",
      "Transfira {give} para {to}{chain}, por favor",
      "Pague {give} para {to}{chain}",
    ],
    swap: [
      "Troque {give} por {get}{on}{chain}",
      "Converta {give} em {get}{on}{chain}",
      "Quero trocar {give} por {get}{on}{chain}",
    ],
    supply: ["Deposite {give} na {venue}{chain}"],
    withdraw: ["Retire {give} da {venue}{chain}", "Saque {give} da {venue}{chain}"],
    borrow: ["Pegue emprestado {give} na {venue}{chain}"],
    approve: ["Aprove {give} para {spender}{chain}"],
    stake: ["Faça stake de {give} na {venue}"],
  },
  fr: {
    transfer: [
      "Envoie {give} à {to}{chain}",
      "Transfère {give} à {to}{chain} s'il te plaît",
      "Veuillez envoyer {give} à {to}{chain}",
    ],
    swap: [
      "Échange {give} contre {get}{on}{chain}",
      "Convertis {give} en {get}{on}{chain}",
      "Je veux échanger {give} contre {get}{on}{chain}",
    ],
    supply: ["Dépose {give} sur {venue}{chain}"],
    withdraw: ["Retire {give} de {venue}{chain}"],
    borrow: ["Emprunte {give} sur {venue}{chain}"],
    repay: ["Rembourse {give} sur {venue}{chain}"],
    approve: ["Autorise {spender} à dépenser {give}{chain}"],
  },
  de: {
    transfer: [
      "Sende {give} an {to}{chain}",
      "Überweise {give} an {to}{chain}",
      "Bitte schicke {give} an {to}{chain}",
    ],
    swap: [
      "Tausche {give} gegen {get}{on}{chain}",
      "Tausche {give} in {get}{on}{chain}",
      "Ich möchte {give} gegen {get} tauschen{on}{chain}",
    ],
    supply: ["Zahle {give} bei {venue} ein{chain}"],
    withdraw: ["Hebe {give} von {venue} ab{chain}"],
    borrow: ["Leihe {give} von {venue}{chain}"],
    approve: ["Erlaube {spender}, {give} auszugeben{chain}"],
  },
  zh: {
    transfer: ["发送 {give} 到 {to}{chain}", "请转账 {give} 给 {to}{chain}", "把 {give} 转给 {to}{chain}"],
    swap: [
      "用 {give} 兑换 {get}{on}{chain}",
      "把 {give} 换成 {get}{on}{chain}",
      "将 {give} 兑换为 {get}{on}{chain}",
    ],
    supply: ["存入 {give} 到 {venue}{chain}"],
    withdraw: ["从 {venue} 提取 {give}{chain}"],
    borrow: ["从 {venue} 借 {give}{chain}"],
    approve: ["授权 {spender} 使用 {give}{chain}"],
  },
};

export type Tails = {
  on: readonly string[];
  chain: readonly string[];
  slippage: readonly string[];
  minOut: readonly string[];
  deadline: readonly string[];
  noPartial: readonly string[];
  noUnlimited: readonly string[];
  safe: readonly string[];
};

export const TAILS: Record<Lang, Tails> = {
  en: {
    on: [" on {v}", " via {v}", " using {v}", " through {v}"],
    chain: [" on {c}"],
    slippage: [
      ", max {n}% slippage",
      " with at most {n}% slippage",
      ". Slippage no more than {n}%",
      " (slippage {n}%)",
      ", slippage tolerance {n}%",
    ],
    minOut: [
      ", I want at least {m}",
      ", minimum {m}",
      ". I should receive no less than {m}",
      " for at least {m}",
      ", min {m}",
    ],
    deadline: [". It must execute within {d}", ", valid for {d}", ", deadline {d}", ". Expires in {d}"],
    noPartial: [". No partial fills", ", no partial fills please", ", fill or kill"],
    noUnlimited: [". Don't use unlimited approval", ", no unlimited approval please", ", never unlimited"],
    safe: [" from the Treasury Safe", " from our Safe"],
  },
  es: {
    on: [" en {v}", " usando {v}"],
    chain: [" en {c}"],
    slippage: [", deslizamiento máximo {n}%", " con un slippage máximo de {n}%"],
    minOut: [", quiero recibir al menos {m}", ", mínimo {m}"],
    deadline: [", válido por {d}"],
    noPartial: [", sin ejecuciones parciales"],
    noUnlimited: [", sin aprobación ilimitada"],
    safe: [" desde el Treasury Safe"],
  },
  pt: {
    on: [" na {v}", " usando {v}"],
    chain: [" na {c}"],
    slippage: [", slippage máximo de {n}%"],
    minOut: [", quero receber pelo menos {m}", ", mínimo {m}"],
    deadline: [", válido por {d}"],
    noPartial: [", sem execução parcial"],
    noUnlimited: [", sem aprovação ilimitada"],
    safe: [" do Treasury Safe"],
  },
  fr: {
    on: [" sur {v}", " via {v}"],
    chain: [" sur {c}"],
    slippage: [", slippage maximum {n}%"],
    minOut: [", je veux recevoir au moins {m}", ", minimum {m}"],
    deadline: [", valable {d}"],
    noPartial: [", sans exécution partielle"],
    noUnlimited: [", sans approbation illimitée"],
    safe: [" depuis le Treasury Safe"],
  },
  de: {
    on: [" auf {v}", " über {v}"],
    chain: [" auf {c}"],
    slippage: [", maximal {n}% Slippage"],
    minOut: [", ich möchte mindestens {m} erhalten", ", mindestens {m}"],
    deadline: [", gültig für {d}"],
    noPartial: [", keine Teilausführung"],
    noUnlimited: [", keine unbegrenzte Freigabe"],
    safe: [" vom Treasury Safe"],
  },
  zh: {
    on: ["，使用 {v}", "，在 {v} 上"],
    chain: ["，在 {c} 上"],
    slippage: ["，最大滑点 {n}%"],
    minOut: ["，至少收到 {m}", "，最少 {m}"],
    deadline: ["，{d}内有效"],
    noPartial: ["，不允许部分成交"],
    noUnlimited: ["，不要无限授权"],
    safe: ["，从 Treasury Safe"],
  },
};

export const MINUTES: Record<Lang, (n: number) => readonly string[]> = {
  en: (n) =>
    n % 1440 === 0
      ? [`${n / 1440} days`]
      : n === 60
        ? ["an hour", "60 minutes", "1 hour"]
        : [`${n} minutes`, `${n} min`],
  es: (n) => [`${n} minutos`],
  pt: (n) => [`${n} minutos`],
  fr: (n) => [`${n} minutes`],
  de: (n) => [`${n} Minuten`],
  zh: (n) => [`${n} 分钟`],
};
