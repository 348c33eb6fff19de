/** The words by which mail programs mark what they copy, in the languages that they speak. */

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

export type Label = keyof typeof LABELS

/** What each label of a mail header names. */
export const labelNames = (): ReadonlyMap<string, Label> =>
  new Map(
    (Object.keys(LABELS) as Label[]).flatMap((label) => LABELS[label].split('|').map((name): readonly [string, Label] => [name, label])),
  )

/** "wrote", in the line above a quoted mail. */
export const WROTE =
  'wrote|writes|sent|schrieb|schreibt|(?:a )?écrit|escribió|ha scritto|scrive|escreveu|schreef|schrijft|(?:het volgende )?geschreven|napisał(?:a|\\(a\\))?|pisze|napsala?|napsal\\(a\\)|napísala?|skrev|kirjoitti|(?:ezt )?írta|a scris|(?:şunu |şunları )?yazdı|έγραψε|написала?|написал\\(а\\)|пишет?|писала?|написав(?:ла)?|đã viết|menulis|كتب|כתב'

/** The same in scripts that have no blank in front of it. */
export const WROTE_UNSPACED = '写道|寫道|写到|書きました|のメール|のメッセージ|(?:님이|님께서)\\s?(?:작성|쓴 글|다음을 작성)'

/** "On", in front of a date, in languages where it is no article. */
export const ON = 'on|am|op|den|på|dnia|w dniu|στις|в|在'

export const FORWARDED =
  'forwarded|weitergeleitet|transféré|transmis|réexpédié|reenviad|inoltrat|encaminhad|reencaminhad|doorgestuur|przekaz(?:an|ywan)|przesłan|vidarebefordra|videresend|(?:edelleen)?(?:välitet|lähetet)|továbbított|přepos(?:lan|ílan)|preposlan|proslijeđen|redirecționat|[iİ]letil(?:en|miş)|[iİ]leti başlangıcı|yönlendirilen|προωθημέν|προωθούμεν|пересланн|пересылаем|переадресованн|переслан|пересила|перенаправлен|chuyển tiếp|diteruskan|转发|轉寄|轉發|転送|전달'

export const ORIGINAL =
  'original|ursprüngliche|origine|oorspronkelijk|oryginaln|ursprungligt|oprindelig|opprinnelig|alkuperäinen|eredeti|původní|orijinal|özgün|αρχικό|исходн|первоначальн|原始|元の|원본|원래'

export const MESSAGE =
  'message|e-?mail|nachricht|mensaje|correo|messaggio|mensagem|bericht|wiadomo|meddeland|meddelelse|besked|melding|brev|viesti|üzenet|levél|zpráv|mesaj|[iİ]leti|posta|μήνυμα|μηνύματος|сообщени|письм|повідомлен|листа|poruk|správ|melding|mejl|thư|pesan|邮件|郵件|信件|訊息|消息|メッセージ|メール|메시지|메일'
