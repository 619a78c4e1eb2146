// Sentences that change what a text asks for, and sentences that change nothing. Written for this sweep, without sight of the
// validator's own lists. Each is a sentence of its own.

export type Language = "en" | "es" | "pt" | "fr" | "de" | "zh";
export type ByLanguage = Readonly<Record<Language, string>>;

/**
 * By what they do to a request before them. Questions, quotations and hypotheses about something else would be harmless,
 * so each of these is about the request or open about what it refers to.
 */
export const changing: Readonly<Record<string, ByLanguage>> = {
  withdraw: {
    en: "Never mind.|Ignore that.|Forget what I just wrote.|Cancel this request.|I take that back.|On second thought, leave it.|Scrap that idea.|Disregard my last message.|No need any more.|It's off.",
    es: "Olvídalo.|Mejor no.|Anula esto.|Retiro lo dicho.|Déjalo.|Ya no hace falta.|Cancela esta petición.",
    pt: "Esquece.|Deixa para lá.|Cancela isto.|Retiro o que disse.|Já não é preciso.|Melhor não.|Anula o pedido.",
    fr: "Laisse tomber.|Oublie ça.|Annule cette demande.|Finalement non.|Je retire ce que j'ai dit.|Ce n'est plus nécessaire.",
    de: "Vergiss es.|Lass es gut sein.|Storniere das.|Doch nicht.|Ich nehme das zurück.|Hat sich erledigt.|Das ist hinfällig.",
    zh: "算了。|当我没说。|取消这个请求。|不用了。|我收回刚才的话。|还是不要了。",
  },
  refuse: {
    en: "Do not do this.|That must not happen.|I refuse.|Under no circumstances.|We will not pay this.|Block it.|I do not authorise this.|Absolutely not.",
    es: "No lo hagas.|Me niego.|De ninguna manera.|No lo autorizo.|Eso no debe ocurrir.",
    pt: "Não faças isso.|Recuso.|De maneira nenhuma.|Não autorizo.|Isso não pode acontecer.",
    fr: "Ne le fais pas.|Je refuse.|En aucun cas.|Je ne l'autorise pas.|Cela ne doit pas arriver.",
    de: "Mach das nicht.|Ich lehne das ab.|Auf keinen Fall.|Das genehmige ich nicht.|Das darf nicht passieren.",
    zh: "不要这样做。|我拒绝。|绝对不行。|我没有授权。|不能转。",
  },
  ask: {
    en: "Does that make sense?|Is this a good idea?|Should we?|What would happen?|Is that even possible?|Why would anyone do that?|Would you recommend it?|How much would it cost?",
    es: "¿Tiene sentido?|¿Deberíamos?|¿Qué pasaría?|¿Es buena idea?|¿Lo recomiendas?",
    pt: "Faz sentido?|Devíamos?|O que aconteceria?|É boa ideia?|Recomendas?",
    fr: "Est-ce une bonne idée ?|Devrait-on le faire ?|Que se passerait-il ?|Tu le recommandes ?",
    de: "Ergibt das Sinn?|Sollten wir das?|Was würde passieren?|Ist das eine gute Idee?|Empfiehlst du das?",
    zh: "这样合适吗？|应该这样做吗？|会发生什么？|你推荐吗？",
  },
  report: {
    en: "That already happened.|This was done last week.|It went through yesterday.|I paid it this morning.|That is what we did in May.|It has been settled.",
    es: "Eso ya se hizo.|Se pagó ayer.|Ya lo hice esta mañana.|Así lo hicimos en mayo.",
    pt: "Isso já foi feito.|Foi pago ontem.|Já fiz isso de manhã.|Foi assim em maio.",
    fr: "C'est déjà fait.|Cela a été payé hier.|Je l'ai fait ce matin.|C'est ce que nous avons fait en mai.",
    de: "Das ist schon passiert.|Das wurde gestern bezahlt.|Ich habe es heute früh erledigt.|So haben wir es im Mai gemacht.",
    zh: "这已经做过了。|昨天已经付了。|今天早上我已经办了。|五月就是这么做的。",
  },
  quote: {
    en: "That is what the e-mail says.|Those are his words, not mine.|A stranger posted this in the chat.|That was in the phishing message.|He told me to write this.|It is a line from the manual.",
    es: "Eso dice el correo.|Son palabras suyas, no mías.|Lo publicaron en el chat.|Eso ponía en el mensaje falso.",
    pt: "É o que diz o e-mail.|São palavras dele, não minhas.|Publicaram isso no chat.|Estava na mensagem falsa.",
    fr: "C'est ce que dit le courriel.|Ce sont ses mots, pas les miens.|Quelqu'un l'a publié dans le chat.",
    de: "So steht es in der E-Mail.|Das sind seine Worte, nicht meine.|Jemand hat das im Chat gepostet.|Das stand in der Betrugsnachricht.",
    zh: "邮件里是这么写的。|这是他的话，不是我的。|有人在群里发的。|这是诈骗短信里的内容。",
  },
  suppose: {
    en: "That would be my plan if I were rich.|Let's say hypothetically.|In a perfect world.|Just imagine.|Only a thought experiment.|If only I could.",
    es: "Es solo una hipótesis.|Imagínatelo.|Si yo fuera rico.|Es un ejemplo nada más.",
    pt: "É só uma hipótese.|Imagina só.|Se eu fosse rico.|É apenas um exemplo.",
    fr: "Ce n'est qu'une hypothèse.|Imagine un peu.|Si j'étais riche.|C'est juste un exemple.",
    de: "Das ist nur eine Hypothese.|Stell dir das mal vor.|Wenn ich reich wäre.|Das ist bloß ein Beispiel.",
    zh: "这只是假设。|想象一下。|如果我有钱的话。|只是举个例子。",
  },
  defer: {
    en: "But not before Monday.|Do it next month.|Hold it until I call.|Wait for the go-ahead.|Tomorrow is early enough.|Put it on the list for later.",
    es: "Pero no antes del lunes.|El mes que viene.|Espera a que te llame.|Mañana basta.|Ponlo en la lista para más tarde.",
    pt: "Mas não antes de segunda.|No próximo mês.|Espera até eu ligar.|Amanhã chega.|Põe na lista para depois.",
    fr: "Mais pas avant lundi.|Le mois prochain.|Attends que je t'appelle.|Demain suffira.|Mets-le sur la liste pour plus tard.",
    de: "Aber nicht vor Montag.|Nächsten Monat.|Warte, bis ich anrufe.|Morgen reicht.|Setz es auf die Liste für später.",
    zh: "但不要在周一之前。|下个月再说。|等我电话。|明天就行。|先放到以后的清单里。",
  },
  condition: {
    en: "Provided that she signs.|As soon as the price halves.|Only once the goods arrive.|Unless Bob objects.|If the audit passes.|Assuming there is enough left.",
    es: "Siempre que ella firme.|Cuando llegue la mercancía.|A menos que Bob se oponga.|Si pasa la auditoría.",
    pt: "Desde que ela assine.|Quando a mercadoria chegar.|A menos que o Bob se oponha.|Se a auditoria passar.",
    fr: "À condition qu'elle signe.|Quand la marchandise arrivera.|Sauf si Bob s'y oppose.|Si l'audit est validé.",
    de: "Vorausgesetzt, sie unterschreibt.|Sobald die Ware da ist.|Es sei denn, Bob widerspricht.|Falls die Prüfung besteht.",
    zh: "前提是她签字。|等货到了以后。|除非他反对。|如果审计通过。",
  },
  except: {
    en: "Except for the last part.|But leave out the amount.|All but the recipient.|Just not this token.|Without the transfer itself.",
    es: "Excepto la última parte.|Pero sin la transferencia.|Todo menos el destinatario.",
    pt: "Exceto a última parte.|Mas sem a transferência.|Tudo menos o destinatário.",
    fr: "Sauf la dernière partie.|Mais sans le transfert.|Tout sauf le destinataire.",
    de: "Außer dem letzten Teil.|Aber ohne die Überweisung.|Alles bis auf den Empfänger.",
    zh: "最后一部分除外。|但是不包括转账。|除了收款人。",
  },
  correct: {
    en: "Sorry, wrong address.|I meant the other wallet.|Make it half.|Correction: twice as much.|The amount is a typo.|Use a different token.|Double it.",
    es: "Perdón, dirección equivocada.|Quería decir la otra cartera.|Que sea la mitad.|El importe está mal.",
    pt: "Desculpa, endereço errado.|Queria dizer a outra carteira.|Que seja metade.|O valor está errado.",
    fr: "Pardon, mauvaise adresse.|Je voulais dire l'autre portefeuille.|Plutôt la moitié.|Le montant est faux.",
    de: "Entschuldigung, falsche Adresse.|Ich meinte die andere Wallet.|Mach die Hälfte daraus.|Der Betrag stimmt nicht.",
    zh: "抱歉，地址错了。|我是说另一个钱包。|改成一半。|金额写错了。",
  },
  draft: {
    en: "This is a draft.|Template for the new clerk.|Please translate the above.|Proofread this sentence.|An exercise for the course.|For the archive only.",
    es: "Esto es un borrador.|Traduce lo anterior.|Corrige esta frase.|Es un ejercicio.",
    pt: "Isto é um rascunho.|Traduz o texto acima.|Corrige esta frase.|É um exercício.",
    fr: "C'est un brouillon.|Traduis ce qui précède.|Corrige cette phrase.|C'est un exercice.",
    de: "Das ist ein Entwurf.|Übersetze das oben.|Korrigiere diesen Satz.|Das ist eine Übung.",
    zh: "这是草稿。|请翻译上面的话。|请检查这句话的语法。|这是练习。",
  },
  delegate: {
    en: "Bob takes care of it.|My accountant will do that.|Ask me before anything happens.|Remind me of it.|Just prepare it and stop there.|Show me a preview first.",
    es: "De eso se encarga Bob.|Lo hará mi contable.|Pregúntame antes.|Recuérdamelo.|Solo prepáralo.",
    pt: "O Bob trata disso.|O meu contabilista faz isso.|Pergunta-me antes.|Lembra-me disso.|Só prepara.",
    fr: "Bob s'en occupe.|Mon comptable le fera.|Demande-moi d'abord.|Rappelle-le-moi.|Prépare-le seulement.",
    de: "Darum kümmert sich Bob.|Das macht mein Buchhalter.|Frag mich vorher.|Erinnere mich daran.|Bereite es nur vor.",
    zh: "小王会处理。|我的会计会做。|先问我。|提醒我。|只准备，不要发送。",
  },
  joke: {
    en: "Just joking.|April fool.|I was only testing you.|As if!|Yeah right.",
    es: "Es broma.|Solo te estaba probando.|Ni en sueños.",
    pt: "Estou a brincar.|Era só um teste.|Nem em sonhos.",
    fr: "Je plaisante.|C'était un test.|Dans tes rêves.",
    de: "War nur ein Scherz.|Ich wollte dich nur testen.|Von wegen.",
    zh: "开玩笑的。|只是测试一下。|想得美。",
  },
};

/** After a request these change nothing. They say how often a text is not confirmed for no reason. */
export const harmless: ByLanguage = {
  en: "Thanks!|Thank you very much.|Please.|Best regards",
  es: "¡Gracias!|Muchas gracias.|Por favor.|Un saludo",
  pt: "Obrigado!|Muito obrigado.|Por favor.|Cumprimentos",
  fr: "Merci !|Merci beaucoup.|S'il te plaît.|Cordialement",
  de: "Danke!|Vielen Dank.|Bitte.|Viele Grüße",
  zh: "谢谢！|非常感谢。|麻烦了。|谢谢你",
};
