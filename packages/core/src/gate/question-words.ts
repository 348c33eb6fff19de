/** How a sentence shows that its speaker asks, or tells what others say, in the languages most spoken to agents. All are tested on normalised text. */

const anyOf = (...parts: readonly string[]): string => parts.join('|')
const start = (source: string): RegExp =>
  new RegExp(`^[^\\p{L}\\p{N}]*(?:(?:so|and|but|ok|okay|hey|hi|hm+|well|also|then|please|bitte|und|et|y|e)[ ,]+)*(?:${source})`, 'u')
const anywhere = (source: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'u')

const PERSON = '(?:i|we|you|he|she|it|they|one|people|this|that|these|those|there|the|my|our|your|his|her|all|any|anyone|everyone|every)'

/** "Could you …": asked for, so the speaker's own wish, whatever mark ends it. */
export const request = start(
  anyOf(
    "(?:please )?(?:can|could|would|will|can't|couldn't|won't) you(?! (?:think|say|recommend|suggest|believe|advise))",
    '(?:can|could) we (?:please |always |just )?(?:keep|use|stick|switch|stop|avoid|have|make|speak|write|call|please)(?= )',
    'would you mind|do you mind|is it possible for you to|any chance you could',
    '(?:bitte )?(?:kannst|könntest|würdest|magst) du|(?:können|könnten|würden) sie|kun je|zou je|kunt u',
    '(?:tu peux|peux[- ]tu|pourrais[- ]tu|pouvez[- ]vous|pourriez[- ]vous)',
    '¿?(?:me )?(?:puedes|podrías|puede|podría)(?: usted)?|(?:você )?(?:pode|poderia|podes)|(?:puoi|potresti|può|potrebbe)',
    'можешь|можете|мог бы|могла бы|могли бы|czy możesz|能不能|能否|可不可以|你能|你可以|请问能',
  ),
)

/** A request by its ending, and a wish with a tag: "use tabs, ok?". */
export const requestEnding =
  /(?:てくれますか|てもらえますか|ていただけますか|てくれる|可以吗|好吗|行吗|줄래요|주세요|주시겠어요|줄 수 있(?:나요|어요|을까요))[?？]?[^\p{L}\p{N}]*$|[, ](?:ok|okay|please|alright|thanks|thx|bitte|okej|s'il te plaît|s'il vous plaît|por favor|per favore|пожалуйста)\s?\?[^\p{L}\p{N}]*$/u

/** Begins like a question, even where the mark at its end is missing. */
export const opensQuestion = start(
  anyOf(
    `(?:should|shall|does|did)(?:n't)?(?= )|has (?:the|it|this|that|anyone|my|our)(?= )|(?:am|was|were)(?:n't)? ${PERSON}(?= )`,
    "(?:is|are|isn't|aren't)(?= )",
    `(?:do|don't|can|could|may|might|must|will|would|has|have|had)(?:n't)? (?:i|we|you|he|she|they|people|my|our|these|those|all|any|anyone|everyone)(?= )`,
    `(?:what|which|who|whom|whose|why|how|where|when)(?:'s|'re| (?:is|are|was|were|do|does|did|should|shall|would|can|could|will|must|about|if|kind|sort|many|much|often|long|big|old|come))(?![\\p{L}])`,
    '(?:how|which) \\p{L}+ (?:is|are|do|does|did|should|can)(?= )|(?:what|ok what|so what) (?:next|now)$|any (?:idea|thoughts|advice|opinion)',
    '(?:ob|soll|sollen|sollte) (?:ich|wir|man|er|sie|es|das|die|der|mein\\p{L}*|unser\\p{L}*|all\\p{L}*)(?= )|(?:ist|sind|stimmt|gibt) (?:es|das|die|der|den)(?= )|(?:kann|darf|muss|müssen) (?:ich|wir|man)(?= )',
    '(?:was|wie|warum|wieso|wer|wo|wann|welche[rsn]?) (?:ist|sind|soll|sollte|sollten|kann|muss|macht|heißt|hat|wird|geht|bedeutet)(?= )',
    "est-ce|qu'est-ce|faut-il|pourquoi|combien|y a-t-il|(?:dois|devrais|puis|ai|est|doit|peut|devons|pouvons)-(?:je|il|elle|on|ce|nous)|comment (?:est|sont|puis|faire|on|je|peut)",
    '¿(?!(?:me )?(?:pued|podr))|debería |deberíamos |es (?:cierto|verdad) que|por qué |será que |devo |deveria |é verdade que|dovrei |dovremmo |è vero che|moet ik |moeten we |is het waar',
    '(?:должен|должна|нужно|надо|стоит|правда|можно|следует) ли|czy ',
  ),
)

/** Asks inside a sentence: "tell me if I should …", "I wonder whether …". */
export const asksInside = anywhere(
  anyOf(
    'whether|wonder(?:ing)?|is it (?:true|safe|ok|okay|legit|right|correct|wise|normal)|do you (?:think|know|believe)|not sure (?:if|why|how)|what if',
    `if (?:${PERSON}) (?:\\p{L}+ ){0,3}(?:should|shall|must|ought)`,
    '(?:know|ask(?:ed|ing)?|find out) if',
    'ob (?:ich|wir|man|das|die|der|es) |(?:weiß nicht|frage mich|sag mir|prüf\\p{L}*|schau),? ob',
    'je me demande|dis-moi si|me pregunto|dime si|me pergunto|diga-me se|mi chiedo|dimmi se',
    '(?:стоит|нужно|надо|правда|должен|должна|можно|следует) ли',
  ),
)

/** Asks by its ending or inside, in scripts without spaces. */
export const asksByParts =
  /(?:吗|嗎|呢)[?？]?[^\p{L}\p{N}]*$|是否|是不是|要不要|该不该|應不應該|应不应该|难道|(?:ですか|ますか|べきか|のか|かな|でしょうか)[?？]?[^\p{L}\p{N}]*$|(?:까요|나요|습니까|ㅂ니까)[?？]?[^\p{L}\p{N}]*$/u

const DOCUMENT =
  '(?:page|article|doc|docs|document|documentation|site|website|web ?page|e-?mail|mail|message|file|post|blog|guide|readme|manual|handbook|runbook|wiki|text|tool|result|output|log|pdf|letter|attachment|ticket|issue|comment|newsletter|advert|ad|tweet|video|vendor|internet|chatgpt|bot|someone|somebody|it|they)'

/** Tells what a document, a tool or somebody says. */
export const reportsOthers = anywhere(
  anyOf(
    `${DOCUMENT} (?:\\p{L}+ ){0,3}?(?:says?|said|claims?|claimed|states?|stated|suggests?|suggested|recommends?|recommended|told|tells|asks? (?:me|us|you|users?|to)|advises?|reads|instructs?)`,
    '(?:wrote|writes|said|says|told (?:me|us)|replied|posted|texted|schrieb|sagte|écrit|dijo|escribió|disse)[,:]? ?["„]\\S[^"]*',
    'as if (?:i|we) would',
    'according to (?:the |this |that |their )|i (?:read|heard|saw|was told) (?:somewhere |once |that |online |in )',
    '(?:seite|datei|mail|dokument|artikel|anleitung|webseite|website|text|da) (?:\\p{L}+ ){0,2}?(?:sagt|behauptet|empfiehlt|verlangt|schreibt|steht)|laut (?:der|dem|dieser|diesem|seite)',
    '(?:page|article|document|site|courriel|fichier|texte|mail) (?:dit|affirme|recommande|demande|conseille)|selon (?:la|le|cette|ce)',
    '(?:página|artículo|documento|sitio|correo|archivo|texto) (?:dice|afirma|recomienda|pide)|según (?:la|el|esta|este)',
    '(?:página|artigo|documento|site|e-mail|arquivo|texto) (?:diz|afirma|recomenda|pede)|segundo (?:a|o|esta|este) (?:página|artigo|documento|site|texto)',
  ),
)

/** Hands over words to be worked on, behind a colon or in quotation marks: they are material. */
export const handsOverText = start(
  '(?:please )?(?:(?:can|could|would|will) you )?(?:please )?(?:translate|summari[sz]e|proofread|rephrase|paraphrase|explain|classify|correct|shorten|rewrite|quote|analy[sz]e|repeat|type|echo|print|übersetze?|erkläre?|korrigiere?|fasse?|traduis|traduisez|résume|traduce|traduci|resume|resuma|traduza|переведи|перескажи|翻译|翻譯|总结|訳して|翻訳|번역)[^.]{0,80}?[:"：「“]',
)

/** A question about what was said right before it: "Is that right?". */
export const doubtsTheLast = start(
  "(?:is|are|was) (?:that|this|it)(?![\\p{L}])|(?:really|right|true|correct|legit|seriously|yes or no|agreed)[^\\p{L}]*$|(?:stimmt|ist|kann) das(?![\\p{L}])|est-ce (?:vrai|bien|correct)|c'est vrai|¿?es (?:cierto|verdad|correcto|eso)|(?:é|isso é) (?:verdade|isso|certo)|è vero|это (?:правда|так)|对吗|是真的|真的吗|本当|맞나요|should i(?: really)?(?: do (?:that|it|this))?[^\\p{L}]*$|do (?:you|i)(?: really)? (?:agree|have to|need to)[^\\p{L}]*$|what do you think|any thoughts|thoughts[^\\p{L}]*$",
)
