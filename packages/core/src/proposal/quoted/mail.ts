/** Copied mail: its headers, the line above a forwarded one and the line above a quoted one, in the languages that mail programs speak. */
import { lazyPattern } from '../../shared/lazy-pattern.ts'
import { readOnce } from '../../shared/read-once.ts'
import type { Line } from './marks.ts'

const LABELS = {
  sender:
    'from|sender|von|absender|de|expéditeur|remitente|remetente|da|mittente|van|afzender|fra|från|avsändare|od|nadawca|odesílatel|lähettäjä|feladó|de la|expeditorul|saatja|šalje|kimden|gönderen|από|αποστολέας|от|отправитель|від|від кого|từ|người gửi|dari|من|מאת|发件人|寄件者|寄件人|差出人|送信者|보낸 사람|보낸사람|발신',
  recipient:
    'to|cc|bcc|reply-to|an|kopie|à|a|pour|para|copia|per|aan|till|til|do|dw|komu|vastaanottaja|kopio|címzett|către|destinatarul|adresat|prima|pre|kime|alıcı|bilgi|προς|κοιν|кому|копия|копія|đến|kepada|إلى|אל|收件人|收件者|抄送|副本|宛先|받는 사람|받는사람|수신|참조',
  sent: 'sent|gesendet|envoyé|enviado|enviado el|enviado em|enviada|enviada em|inviato|verzonden|skickat|sendt|wysłano|wysłane|odesláno|lähetetty|elküldve|trimis|gönderildi|gönderme tarihi|gönderilme tarihi|στάλθηκε|отправлено|надіслано|đã gửi|dikirim|发送时间|發送時間|寄件日期|傳送時間|送信日時|보낸 날짜|보낸날짜',
  date: 'date|datum|fecha|data|dato|päivämäärä|päiväys|dátum|tarih|ημερομηνία|дата|ngày|tanggal|التاريخ|תאריך|日期|日付|日時|날짜',
  subject:
    'subject|betreff|objet|sujet|asunto|oggetto|assunto|onderwerp|ämne|emne|temat|předmět|predmet|naslov|aihe|tárgy|subiect|subiectul|konu|θέμα|тема|chủ đề|subjek|الموضوع|נושא|主题|主旨|主題|件名|제목',
} as const

type Label = keyof typeof LABELS

/** What each label of a mail header names. */
const labelNames = (): ReadonlyMap<string, Label> =>
  new Map(
    (Object.keys(LABELS) as Label[]).flatMap((label) => LABELS[label].split('|').map((name): readonly [string, Label] => [name, label])),
  )

/** "wrote", in the line above a quoted mail. */
const WROTE =
  'wrote|writes|sent|schrieb|schreibt|(?:a )?écrit|escribió|ha scritto|scrive|escreveu|schreef|schrijft|(?:het volgende )?geschreven|napisał(?:a|\\(a\\))?|pisze|napsala?|napsal\\(a\\)|napísala?|skrev|kirjoitti|(?:ezt )?írta|a scris|(?:şunu |şunları )?yazdı|έγραψε|написала?|написал\\(а\\)|пишет?|писала?|написав(?:ла)?|đã viết|menulis|كتب|כתב'

/** The same in scripts that have no blank in front of it. */
const WROTE_UNSPACED = '写道|寫道|写到|書きました|のメール|のメッセージ|(?:님이|님께서)\\s?(?:작성|쓴 글|다음을 작성)'

/** "On", in front of a date, in languages where it is no article. */
const ON = 'on|am|op|den|på|dnia|w dniu|στις|в|在'

const FORWARDED =
  'forwarded|weitergeleitet|transféré|transmis|réexpédié|reenviad|inoltrat|encaminhad|reencaminhad|doorgestuur|przekaz(?:an|ywan)|przesłan|vidarebefordra|videresend|(?:edelleen)?(?:välitet|lähetet)|továbbított|přepos(?:lan|ílan)|preposlan|proslijeđen|redirecționat|[iİ]letil(?:en|miş)|[iİ]leti başlangıcı|yönlendirilen|προωθημέν|προωθούμεν|пересланн|пересылаем|переадресованн|переслан|пересила|перенаправлен|chuyển tiếp|diteruskan|转发|轉寄|轉發|転送|전달'

const ORIGINAL =
  'original|ursprüngliche|origine|oorspronkelijk|oryginaln|ursprungligt|oprindelig|opprinnelig|alkuperäinen|eredeti|původní|orijinal|özgün|αρχικό|исходн|первоначальн|原始|元の|원본|원래'

const MESSAGE =
  'message|e-?mail|nachricht|mensaje|correo|messaggio|mensagem|bericht|wiadomo|meddeland|meddelelse|besked|melding|brev|viesti|üzenet|levél|zpráv|mesaj|[iİ]leti|posta|μήνυμα|μηνύματος|сообщени|письм|повідомлен|листа|poruk|správ|melding|mejl|thư|pesan|邮件|郵件|信件|訊息|消息|メッセージ|メール|메시지|메일'

// The headers of a copied mail: a sender, and what else shows that these labels are no form of another kind.

const NAMES = readOnce(labelNames)

/** A label in front of a colon, a tab, the edge of a table cell, or alone. */
const firstLabel =
  /^[\s|]{0,8}(?:(?:[-*•·–+]{1,2}|\d{1,2}[.)])\s{1,4})?[*_]{0,2}([^\s:：|*_][^:：|\t]{0,20}?)\s{0,3}[*_]{0,2}\s{0,3}(?:[:：|\t]|$)/

const MIN_REST = 4
/** Further labels of the same line. */
const nextLabel = lazyPattern(String.raw`(?<=[\s|,;*_])([\p{L}-]{1,14})[ \t]{0,3}[*_]{0,2}[ \t]{0,3}[:：|]`, 'gu')

const labelOf = (name: string | undefined): Label | undefined => (name === undefined ? undefined : NAMES.read().get(name.toLowerCase()))

/** Empty unless the line begins with a label. */
const labelsOf = (line: string): readonly Label[] => {
  const match = firstLabel.exec(line)
  const first = labelOf(match?.[1])
  if (!match || !first) return []
  const rest = line.slice(match[0].length - 1)
  return rest.length < MIN_REST ? [first] : [first, ...[...rest.matchAll(nextLabel.read())].flatMap(([, name]) => labelOf(name) ?? [])]
}

/** Lines with text that may be between two labels: a value, or the rest of a folded one. */
const MAX_BETWEEN = 2

interface Block {
  readonly start: number
  readonly labels: Set<Label>
  hasAddress: boolean
  between: number
}

/** From, to and a date alone are those of a journey. */
const isMail = ({ labels, hasAddress }: Block): boolean =>
  labels.has('sender') && (labels.has('subject') || labels.has('sent') || (hasAddress && labels.size > 1))

/** Where the first mail begins. */
export const mailHeaders = (lines: readonly Line[]): number | undefined => {
  let block: Block | undefined
  for (const { start, text } of lines) {
    if (text === '') continue
    const labels = labelsOf(text)
    if (labels.length > 0) {
      block ??= { start, labels: new Set(), hasAddress: false, between: 0 }
      for (const label of labels) block.labels.add(label)
      block.hasAddress ||= text.includes('@')
      block.between = 0
    } else if (block) {
      block.between += 1
      if (block.between > MAX_BETWEEN) {
        if (isMail(block)) return block.start
        block = undefined
      }
    }
  }
  return block && isMail(block) ? block.start : undefined
}

// The line above a forwarded mail or message: "---------- Forwarded message ---------", "Begin forwarded message:", "Forwarded from Ada".

const RULE = '[-=_*~#+.·•—–─━═]'
const ruled = new RegExp(`^\\s{0,4}${RULE}{3,60}\\s{0,4}([^\\s].{2,60}?)\\s{0,4}(${RULE}{3,60})?$`)
const longRule = new RegExp(`^\\s{0,4}${RULE}{5}`)

const forwarded = lazyPattern(FORWARDED, 'iu')
const original = lazyPattern(ORIGINAL, 'iu')
const message = lazyPattern(MESSAGE, 'iu')
const forwardedFrom = lazyPattern(`^\\s{0,4}(?:${FORWARDED})\\p{L}{0,4} (?:from|von|de|da|van|från|fra|od|от) \\S`, 'iu')

const wordsIn = (text: string): number => text.trim().split(/\s+/).length

const LEAST_FORWARDING = 4
const MOST_FORWARDING = 140
const MOST_UNRULED = 60

const isForwarding = (line: string): boolean => {
  if (line.length < LEAST_FORWARDING || line.length > MOST_FORWARDING) return false
  const rule = ruled.exec(line)
  if (rule) {
    const title = rule[1] ?? ''
    if (rule[2] === undefined && !longRule.test(line)) return false
    return wordsIn(title) <= 7 && (forwarded.read().test(title) || (original.read().test(title) && message.read().test(title)))
  }
  if (line.length > MOST_UNRULED) return false
  if (forwardedFrom.read().test(line)) return wordsIn(line) <= 5
  if (!message.read().test(line)) return false
  const words = wordsIn(line)
  const hasColon = /[:：]$/.test(line)
  return (words <= (hasColon ? 6 : 3) && forwarded.read().test(line)) || (hasColon && words <= 4 && original.read().test(line))
}

export const forwarding = (lines: readonly Line[]): number | undefined => lines.find(({ text }) => text !== '' && isForwarding(text))?.start

// The line above a quoted mail: "On Monday, Ada wrote:".

const NAME_WORD = String.raw`(?:[\p{Lu}\p{Lt}\p{Lo}"“„'<(\[]\S{0,60}|\p{Ll}{1,3}|\d[\d.:/-]{0,12}|följande|følgende|following|folgendes)`
const NOT_I = String.raw`(?<!(?:^|[^\p{L}])(?:I|j['’]ai|я) )`
const NOR_I = String.raw`(?! (?:ich|ik|jag|jeg)\b)`
const WRITER = `(?:(?<!\\p{L})(?:${WROTE})|${WROTE_UNSPACED})${NOR_I}(?: ${NAME_WORD}){0,6}\\s{0,2}`

/** With the name behind the verb in languages that put it there. */
const wroteAtEnd = lazyPattern(`${NOT_I}${WRITER}(?:[:：]|[:：]?\\s?-{3,60})$`, 'u')
const ADDRESS = String.raw`[<(［[]\s?(?:mailto:)?[^\s<>()[\]@]{1,80}@[^\s<>()[\]@]{1,80}(?:[>)\]］]|<mailto:[^\s<>]{1,80}>>)`
const addressAtEnd = new RegExp(String.raw`${ADDRESS}\s{0,2}(?:のメール|のメッセージ)?\s{0,2}[:：]$`)
const beginsWithOn = lazyPattern(String.raw`^[\s—–-]{0,8}(?:${ON})[\s,]`, 'iu')
/** With the mail in the same line. */
const insideLine = lazyPattern(
  String.raw`\d:\d\d.{0,100}${ADDRESS}(?:,? (?:${WROTE})|${WROTE_UNSPACED})?\s{0,2}[:：]|${ADDRESS}[^@]{0,60}(?:${WROTE}|${WROTE_UNSPACED})\s{0,2}[:：]`,
  'u',
)

/** A day or an hour: a year alone is said of books. */
const dayOrHour = /(?<!\d)\d{1,2}(?!\d)/
const MAX_LINES = 3
const LEAST_ATTRIBUTION = 8
const MOST_ATTRIBUTION = 240
const MOST_INSIDE = 300

const isAttribution = (text: string): boolean => {
  if (text.includes('@') && addressAtEnd.test(text)) return dayOrHour.test(text)
  return (dayOrHour.test(text) || text.includes('@') || beginsWithOn.read().test(text)) && wroteAtEnd.read().test(text)
}

/** The beginning of a line that a mail program has wrapped. */
const isBeginning = (text: string): boolean => text.includes('@') || (dayOrHour.test(text) && beginsWithOn.read().test(text))

/** Where the first attribution begins: alone in its line, or in up to three that a mail program has wrapped. */
export const attribution = (lines: readonly Line[]): number | undefined => {
  for (const [index, line] of lines.entries()) {
    const { text } = line
    if (text.includes('@') && dayOrHour.test(text) && insideLine.read().test(text.slice(0, MOST_INSIDE))) return line.start
    const last = text.at(-1)
    if (last !== ':' && last !== '：' && last !== '-') continue
    let joined = ''
    let start: number | undefined
    for (let back = 0; back < MAX_LINES; back += 1) {
      const above = lines[index - back]
      if (!above || above.text === '' || joined.length + above.text.length > MOST_ATTRIBUTION) break
      joined = back === 0 ? above.text : `${above.text} ${joined}`
      if (joined.length >= LEAST_ATTRIBUTION && isAttribution(joined) && (start === undefined || isBeginning(above.text)))
        start = above.start
    }
    if (start !== undefined) return start
  }
  return undefined
}
