/** Statements and questions in German, Spanish and Japanese. */

export interface ForeignFact {
  readonly id: string
  readonly said: string
  readonly reply: string
  readonly asked: string
}

export const OTHER_LANGUAGES: readonly ForeignFact[] = [
  {
    id: 'de-rad',
    said: 'Mein neues Fahrrad steht im Keller, es ist ein Gravelbike von Kettler.',
    reply: 'Schön! Ein gutes Schloss nicht vergessen.',
    asked: 'Welches Fahrrad habe ich gekauft?',
  },
  {
    id: 'de-zug',
    said: 'Der Zug nach Graz geht am 4. Dezember um 6:28 Uhr von Gleis 9.',
    reply: 'Notiert, das wird früh.',
    asked: 'Um wie viel Uhr fährt der Zug nach Graz?',
  },
  {
    id: 'de-impfung',
    said: 'Die Tetanusimpfung habe ich im Juni auffrischen lassen.',
    reply: 'Dann ist zehn Jahre Ruhe.',
    asked: 'Wann war meine Tetanusimpfung?',
  },
  {
    id: 'de-oma',
    said: 'Omas Rezept für Zwetschgenknödel braucht Topfen statt Kartoffeln.',
    reply: 'Das macht den Teig leichter.',
    asked: 'Was kommt in die Knödel nach dem Rezept von Oma?',
  },
  {
    id: 'de-umzug',
    said: 'Unsere Umzugsfirma heißt Nordlicht und kommt mit zwei Wagen.',
    reply: 'Dann Kartons früh beschriften.',
    asked: 'Wie heißt die Firma für unseren Umzug?',
  },
  {
    id: 'de-kurs',
    said: 'Ich habe mich für den Töpferkurs am Mittwoch angemeldet.',
    reply: 'Viel Spaß an der Scheibe!',
    asked: 'An welchem Tag ist mein Töpferkurs?',
  },
  {
    id: 'de-vertrag',
    said: 'Der Vertrag mit der Druckerei läuft bis Ende März und verlängert sich dann um ein Jahr.',
    reply: 'Kündigungsfrist in den Kalender eintragen.',
    asked: 'Bis wann läuft der Vertrag mit der Druckerei?',
  },
  {
    id: 'de-schluessel',
    said: 'Den Ersatzschlüssel hat jetzt Frau Öztürk im zweiten Stock.',
    reply: 'Gut zu wissen.',
    asked: 'Bei wem liegt der Ersatzschlüssel?',
  },
  {
    id: 'es-vuelo',
    said: 'Compré el vuelo a Montevideo para el 11 de enero, con escala en Madrid.',
    reply: 'Perfecto, revisa el equipaje permitido.',
    asked: '¿Cuándo es mi vuelo a Montevideo?',
  },
  {
    id: 'es-perro',
    said: 'El perro de mi abuela se llama Trueno y tiene miedo a las tormentas.',
    reply: 'Qué nombre tan irónico.',
    asked: '¿Cómo se llama el perro de mi abuela?',
  },
  {
    id: 'es-receta',
    said: 'La tortilla de mi suegra lleva calabacín y nada de cebolla.',
    reply: 'Una receta con carácter.',
    asked: '¿Qué lleva la tortilla de mi suegra?',
  },
  {
    id: 'es-medico',
    said: 'La doctora Villalobos me cambió las pastillas de la tensión por la mañana.',
    reply: 'Anota cómo te sientan.',
    asked: '¿Quién me cambió las pastillas?',
  },
  {
    id: 'es-casa',
    said: 'Firmamos la hipoteca con el banco Arenal a veinte años.',
    reply: 'Enhorabuena por la casa.',
    asked: '¿Con qué banco tenemos la hipoteca?',
  },
  {
    id: 'es-coche',
    said: 'El taller dice que el embrague cuesta 840 euros.',
    reply: 'Pide un segundo presupuesto.',
    asked: '¿Cuánto cuesta el embrague según el taller?',
  },
  {
    id: 'es-libro',
    said: 'Estoy leyendo Pedro Páramo por tercera vez.',
    reply: 'Siempre se descubre algo nuevo.',
    asked: '¿Qué libro estoy leyendo otra vez?',
  },
  {
    id: 'es-trabajo',
    said: 'Mi jefa nueva se llama Remedios y viene de Cádiz.',
    reply: 'Suerte con la primera reunión.',
    asked: '¿Cómo se llama mi jefa?',
  },
  { id: 'ja-neko', said: '猫の名前はこむぎにしました。', reply: 'かわいい名前ですね。', asked: '猫の名前は何ですか' },
  { id: 'ja-ryokou', said: '来年の旅行は屋久島に決めました。', reply: '雨具を忘れないでください。', asked: '来年の旅行はどこに行きますか' },
  { id: 'ja-allergy', said: '私はそばアレルギーなので気をつけてください。', reply: '承知しました。', asked: '私のアレルギーは何ですか' },
  {
    id: 'ja-kaigi',
    said: '田中さんとの会議は木曜日の十五時になりました。',
    reply: 'カレンダーに入れておきましょう。',
    asked: '田中さんとの会議はいつですか',
  },
  { id: 'ja-hikkoshi', said: '引っ越し先は吉祥寺のアパートです。', reply: '便利な場所ですね。', asked: '引っ越し先はどこでしたか' },
  { id: 'ja-piano', said: '娘のピアノの発表会は三月八日です。', reply: '楽しみですね。', asked: '娘の発表会はいつですか' },
  { id: 'ja-kuruma', said: '車の修理代は九万円でした。', reply: '思ったより高いですね。', asked: '車の修理はいくらでしたか' },
  { id: 'ja-hon', said: '読書会の次の本は「雪国」です。', reply: '名作ですね。', asked: '読書会の次の本は何ですか' },
]
