/**
 * Words with which people correct, forbid, or set a rule for the rest of the work: imperatives, negations, words of obligation, by language
 * (ISO 639-1). Alternatives of a regular expression, in lower case.
 */
export const CORRECTION_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: [
    `never|not?|don['’]?t|do not|does not belong|doesn['’]?t belong|always|must|mustn['’]?t|instead|wrong`,
    'incorrect|remember|rather than|not allowed|forbidden|prohibited|avoid|refrain|from now on|no longer',
    'under no circumstances|make sure|be sure to|stop (?:using|doing|adding|changing|touching|writing|editing)',
    'only (?:use|ever|touch|change|edit|write)|keep in mind|important|mandatory|required',
    'i (?:said|told you|meant|prefer|insist)|not what i|(?:hands|stay|keep) (?:off|away|out)',
    `leave (?:\\S+ )?alone|shall|should(?:n['’]?t| not)|can(?:no|['’]?)t be`,
  ],
  de: [
    'nie|niemals|nicht|kein(?:e[nmrs]?)?|immer|muss(?:t|en)?|müssen|musst|darf(?:st)?|dürfen|stattdessen',
    'anstatt|statt|falsch|merk(?:e|t)? dir|denk(?:e|t)? daran|vergiss|verboten|vermeide(?:n)?|ab jetzt|sondern',
    'unbedingt|wichtig|soll(?:st|en|te)?|nur noch|pflicht',
  ],
  fr: [
    `jamais|ne .{1,40} pas|n['’].{1,40} pas|toujours|doit|dois|doivent|devez|il faut|plutôt|au lieu|faux`,
    'incorrect|rappelle|rappelez|souviens|souvenez|interdit|évite(?:r|z)?|désormais|obligatoire|important',
    'surtout pas|pas touche',
  ],
  es: [
    'nunca|jamás|no|siempre|debe(?:s|n|mos)?|tiene(?:s|n)? que|hay que|en (?:lugar|vez) de|en su lugar|mal',
    'incorrecto|equivocado|recuerda|recuerde|prohibido|evita(?:r)?|a partir de ahora|obligatorio|importante',
    'sino',
  ],
  it: [
    'mai|non|sempre|deve|devi|devono|bisogna|invece|sbagliato|errato|ricorda(?:ti)?|ricordate|vietato',
    `evita(?:re)?|d['’]ora in poi|obbligatorio|importante|al posto`,
  ],
  pt: [
    'nunca|jamais|não|sempre|deve(?:m|s)?|tem que|em vez|ao invés|errado|incorreto|lembre(?:-se)?|lembra',
    'proibido|evite|a partir de agora|obrigatório|importante',
  ],
  nl: ['nooit|niet|geen|altijd|moet(?:en)?|in plaats|liever|fout|verkeerd|onthoud|verboden|vermijd|voortaan', 'belangrijk'],
  sv: ['aldrig|inte|alltid|måste|istället|i stället|fel|kom ihåg|förbjudet|undvik|hädanefter|viktigt'],
  da: ['aldrig|ikke|altid|skal|må|i stedet|forkert|husk|forbudt|undgå|fremover|vigtigt'],
  nb: ['aldri|ikke|alltid|må|skal|i stedet|feil|husk|forbudt|unngå|heretter|viktig'],
  fi: ['älä|älkää|ei koskaan|aina|täytyy|pitää|sen sijaan|väärin|muista|kielletty|vältä'],
  pl: ['nigdy|nie|zawsze|musi(?:sz|my)?|muszą|zamiast|źle|błędnie|pamiętaj|zabronione|unikaj|od teraz|ważne'],
  cs: [
    'nikdy|nepoužív\\p{L}*|neměň\\p{L}*|nedělej\\p{L}*|nesahej\\p{L}*|nesm\\p{L}*|nemaž\\p{L}*|ne|vždy|musí(?:š|me|te)?|místo|špatně|pamatuj|zakázáno|vyhni|od teď|důležité',
  ],
  ru: [
    'никогда|не|нельзя|всегда|долж(?:ен|на|ны|но)|нужно|вместо|неправильно|неверно|запомни(?:те)?|помни(?:те)?',
    'запрещено|избегай(?:те)?|отныне|важно',
  ],
  uk: [`ніколи|не|завжди|повин(?:ен|на|ні)|мусить|треба|замість|неправильно|пам['’ʼ]ятай(?:те)?|заборонено`, 'уникай(?:те)?|важливо'],
  tr: [
    'asla|hiçbir zaman|her zaman|daima|mutlaka|gerek|zorunda|\\p{L}+m[ae]l[ıi](?:s[ıi]n)?|yerine|yanlış|unutma',
    'hatırla|yasak|kaçın|\\p{L}+m[ae]y[ıi]n|dokunma|yapma|kullanma|önemli|değil',
  ],
  id: ['jangan|tidak boleh|selalu|harus|sebagai gantinya|salah|ingat|dilarang|hindari|penting|bukan'],
  vi: ['không bao giờ|đừng|luôn|phải|thay vì|thay vào|sai|hãy nhớ|cấm|tránh|quan trọng|không được'],
  el: ['ποτέ|μην?|πάντα|πρέπει|αντί|λάθος|θυμήσου|απαγορεύεται|αποφυγε|σημαντικό'],
  ro: ['niciodată|nu|întotdeauna|mereu|trebuie|în loc|greșit|ține minte|interzis|evită|important'],
  hu: ['soha|ne|mindig|kell|helyett|rossz|hibás|jegyezd meg|tilos|kerüld|fontos'],
  ar: ['أبدا|أبدًا|لا|دائما|دائمًا|يجب|بدلا|بدلاً|خطأ|تذكر|ممنوع|تجنب|مهم'],
  he: ['לעולם|אל|אסור|תמיד|חייב(?:ים|ת)?|במקום|שגוי|לא נכון|זכור|תזכור|הימנע|חשוב'],
  fa: ['هرگز|هیچ‌?وقت|نکن|همیشه|باید|نباید|به جای|اشتباه|یادت باشد|ممنوع|مهم'],
  hi: ['कभी नहीं|कभी|नहीं|मत|हमेशा|ज़?रूर|चाहिए|के बजाय|बजाय|गलत|ग़लत|याद रख|मना'],
};

/** The same for scripts that put no space between words. */
export const UNSPACED_CORRECTION_WORDS: Readonly<Record<string, readonly string[]>> = {
  zh: [
    '不要|别|別|不能|不可|不许|不許|不准|切勿|请勿|請勿|禁止|绝不|絕不|永远|永遠|从不|總是|总是|始终|始終|必须|必須|一定|务必|務必|应该|應該|而不是|改用|代替|错了|錯了|不对|不對|错误',
    '记住|記住|注意|避免|以后|以後',
  ],
  ja: [
    'ないで|決して|絶対|必ず|常に|いつも|ではなく|じゃなく|代わりに|間違|違います|違う|覚えて|忘れない|禁止|だめ|ダメ|駄目|てはいけ|ては(?:ならない|なりません)|なければ|べき|避けて|今後',
    '注意|触らない',
  ],
  ko: [
    '절대|결코|하지 ?마|지 ?마(?:세요|라|십시오)?|말아|말 ?것|항상|언제나|반드시|꼭|대신|아니라|틀렸|잘못|기억|잊지|금지|안 ?(?:돼|됩)|해야|피해|앞으로',
  ],
  th: ['ห้าม|อย่า|เสมอ|ต้อง|แทน|ผิด|จำไว้|หลีกเลี่ยง'],
};
