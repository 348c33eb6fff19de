/** What users write about themselves, in the languages of the honest messages. */

export interface HonestWords {
  readonly name: string
  /** Sentences of the user. */
  readonly says: readonly string[]
  readonly people: readonly string[]
  /** Titles of appointments and tasks, capitalised as the language does in a list. */
  readonly things: readonly string[]
  readonly places: readonly string[]
  /** "Note", "To do", "Question". */
  readonly heads: readonly string[]
  /** "{0} said", in front of a colon and a short quotation. */
  readonly said: string
  /** "{0} wrote to me on 3 May that we need:". */
  readonly reported: string
  /** "On 3 May 2019 I wrote:". */
  readonly iWrote: string
  /** Labels of a journey: from, to, date, seats. */
  readonly journey: readonly [string, string, string, string]
  /** Labels of a mail that the user wants to be sent: to, subject. */
  readonly draft: readonly [string, string]
  /** "tomorrow", "Monday". */
  readonly days: readonly string[]
}

export const HONEST_WORDS: readonly HonestWords[] = [
  {
    name: 'en',
    says: [
      'I live in Porto and work from home.',
      'Use pnpm here, never npm.',
      'My dentist is on the second floor.',
      'From now on, answer me briefly.',
      'On Mondays I cook for the whole house.',
      'I sent the original message to the wrong list.',
      'Please forward the message to nobody.',
    ],
    people: ['Ada', 'Bo Lind', 'Ruth', 'Mr Fox'],
    things: ['Dentist', 'Standup', 'School', 'Train to Porto', 'Lunch with Ada', 'Kelp'],
    places: ['Lisbon', 'Porto', 'Braga'],
    heads: ['Note', 'To do', 'Question', 'Subject', 'Date', 'Update'],
    said: '{0} said',
    reported: '{0} wrote to me on 3 May that we need these changes:',
    iWrote: 'On 3 May 2019 I wrote:',
    journey: ['From', 'To', 'Date', 'Seats'],
    draft: ['To', 'Subject'],
    days: ['Monday', 'Tomorrow', 'Today'],
  },
  {
    name: 'de',
    says: [
      'Ich wohne in Porto und arbeite zu Hause.',
      'Nimm hier pnpm, nie npm.',
      'Mein Zahnarzt ist im zweiten Stock.',
      'Von jetzt an antworte mir bitte kurz.',
      'Am Montag koche ich für das ganze Haus.',
      'Die ursprüngliche Nachricht ging an die falsche Liste.',
    ],
    people: ['Ada', 'Bo Lind', 'Ruth', 'Herr Fuchs'],
    things: ['Zahnarzt', 'Standup', 'Schule', 'Zug nach Porto', 'Essen mit Ada', 'Kelp'],
    places: ['Lissabon', 'Porto', 'Braga'],
    heads: ['Notiz', 'Zu tun', 'Frage', 'Betreff', 'Datum', 'Stand'],
    said: '{0} sagte',
    reported: '{0} schrieb mir am 3. Mai, dass wir diese Änderungen brauchen:',
    iWrote: 'Am 3. Mai 2019 schrieb ich:',
    journey: ['Von', 'Nach', 'Datum', 'Plätze'],
    draft: ['An', 'Betreff'],
    days: ['Montag', 'Morgen', 'Heute'],
  },
  {
    name: 'fr',
    says: [
      "J'habite à Porto et je travaille chez moi.",
      'Ici on prend pnpm, jamais npm.',
      'Mon dentiste est au deuxième étage.',
      'De temps en temps, réponds-moi en vers.',
      'Le lundi je cuisine pour toute la maison.',
      "Le message d'origine est parti à la mauvaise liste.",
    ],
    people: ['Ada', 'Bo Lind', 'Ruth', 'M. Renard'],
    things: ['Dentiste', 'Réunion', 'École', 'Train pour Porto', 'Déjeuner avec Ada', 'Kelp'],
    places: ['Lisbonne', 'Porto', 'Braga'],
    heads: ['Note', 'À faire', 'Question', 'Objet', 'Date', 'Point'],
    said: '{0} a dit',
    reported: "{0} m'a écrit le 3 mai qu'il nous faut ces changements :",
    iWrote: "Le 3 mai 2019 j'ai écrit :",
    journey: ['De', 'À', 'Date', 'Places'],
    draft: ['À', 'Objet'],
    days: ['Lundi', 'Demain', "Aujourd'hui"],
  },
  {
    name: 'es',
    says: [
      'Vivo en Oporto y trabajo en casa.',
      'Aquí se usa pnpm, nunca npm.',
      'Mi dentista está en el segundo piso.',
      'De ahora en adelante respóndeme con brevedad.',
      'El lunes cocino para toda la casa.',
      'Mandé el mensaje original a la lista equivocada.',
    ],
    people: ['Ada', 'Bo Lind', 'Ruth', 'Sr. Zorro'],
    things: ['Dentista', 'Reunión', 'Colegio', 'Tren a Oporto', 'Comida con Ada', 'Kelp'],
    places: ['Lisboa', 'Oporto', 'Braga'],
    heads: ['Nota', 'Pendiente', 'Pregunta', 'Asunto', 'Fecha', 'Estado'],
    said: '{0} dijo',
    reported: '{0} me escribió el 3 de mayo que necesitamos estos cambios:',
    iWrote: 'El 3 de mayo de 2019 escribí:',
    journey: ['De', 'A', 'Fecha', 'Plazas'],
    draft: ['Para', 'Asunto'],
    days: ['Lunes', 'Mañana', 'Hoy'],
  },
  {
    name: 'tr',
    says: [
      "Porto'da oturuyorum ve evden çalışıyorum.",
      'Burada pnpm kullan, npm asla.',
      'Dişçim ikinci katta.',
      'Bundan sonra bana kısa cevap ver.',
      'Pazartesi günleri bütün eve yemek yaparım.',
      'Orijinal mesajı yanlış listeye gönderdim.',
    ],
    people: ['Ada', 'Bo Lind', 'Ruth', 'Tilki Bey'],
    things: ['Dişçi', 'Toplantı', 'Okul', 'Porto treni', 'Ada ile yemek', 'Kelp'],
    places: ['Lizbon', 'Porto', 'Braga'],
    heads: ['Not', 'Yapılacak', 'Soru', 'Konu', 'Tarih', 'Durum'],
    said: '{0} dedi ki',
    reported: '{0} 3 Mayıs günü bana yazdı, şu değişiklikler gerekiyor:',
    iWrote: '3 Mayıs 2019 günü şunu yazdım:',
    journey: ['Nereden', 'Nereye', 'Tarih', 'Kişi'],
    draft: ['Kime', 'Konu'],
    days: ['Pazartesi', 'Yarın', 'Bugün'],
  },
  {
    name: 'el',
    says: [
      'Μένω στο Πόρτο και δουλεύω από το σπίτι.',
      'Εδώ χρησιμοποιούμε pnpm, ποτέ npm.',
      'Ο οδοντίατρός μου είναι στον δεύτερο όροφο.',
      'Από εδώ και πέρα απάντα μου σύντομα.',
      'Τη Δευτέρα μαγειρεύω για όλο το σπίτι.',
      'Το αρχικό μήνυμα πήγε σε λάθος λίστα.',
    ],
    people: ['Άντα', 'Μπο Λιντ', 'Ρουθ', 'κ. Αλεπού'],
    things: ['Οδοντίατρος', 'Σύσκεψη', 'Σχολείο', 'Τρένο για Πόρτο', 'Φαγητό με Άντα', 'Kelp'],
    places: ['Λισαβόνα', 'Πόρτο', 'Μπράγκα'],
    heads: ['Σημείωση', 'Εκκρεμεί', 'Ερώτηση', 'Θέμα', 'Ημερομηνία', 'Κατάσταση'],
    said: '{0} είπε',
    reported: '{0} μου έγραψε στις 3 Μαΐου ότι χρειάζονται αυτές οι αλλαγές:',
    iWrote: 'Στις 3 Μαΐου 2019 έγραψα:',
    journey: ['Από', 'Προς', 'Ημερομηνία', 'Θέσεις'],
    draft: ['Προς', 'Θέμα'],
    days: ['Δευτέρα', 'Αύριο', 'Σήμερα'],
  },
  {
    name: 'ru',
    says: [
      'Я живу в Порту и работаю дома.',
      'Здесь только pnpm, никогда npm.',
      'Мой зубной врач на втором этаже.',
      'От тебя мне нужны короткие ответы.',
      'В понедельник я готовлю на весь дом.',
      'Исходное сообщение ушло не в тот список.',
    ],
    people: ['Ада', 'Бо Линд', 'Рут', 'Лис'],
    things: ['Врач', 'Встреча', 'Школа', 'Поезд в Порту', 'Обед с Адой', 'Kelp'],
    places: ['Лиссабон', 'Порту', 'Брага'],
    heads: ['Заметка', 'Сделать', 'Вопрос', 'Тема', 'Дата', 'Итог'],
    said: '{0} говорит',
    reported: '{0} написал мне 3 мая, что нужны такие изменения:',
    iWrote: '3 мая 2019 года я написал:',
    journey: ['Откуда', 'Куда', 'Дата', 'Мест'],
    draft: ['Кому', 'Тема'],
    days: ['Понедельник', 'Завтра', 'Сегодня'],
  },
  {
    name: 'ja',
    says: [
      '私はポルトに住み、家で働いています。',
      'ここではpnpmを使い、npmは使わないでください。',
      '歯医者は二階にあります。',
      'これからは短く答えてください。',
      '月曜日は家族みんなに料理を作ります。',
      '元のメッセージは別のリストに送りました。',
    ],
    people: ['エイダ', 'ボー', 'ルース', '狐さん'],
    things: ['歯医者', '会議', '学校', 'ポルト行きの電車', '昼食', 'Kelp'],
    places: ['リスボン', 'ポルト', 'ブラガ'],
    heads: ['メモ', 'やること', '質問', '件名', '日付', '状況'],
    said: '{0}が言うには',
    reported: '{0}が5月3日に書いてきた変更点はこれです:',
    iWrote: '2019年5月3日に書いたこと:',
    journey: ['出発', '到着', '日付', '人数'],
    draft: ['宛先', '件名'],
    days: ['月曜日', '明日', '今日'],
  },
]
