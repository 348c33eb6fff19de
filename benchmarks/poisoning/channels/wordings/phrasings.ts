/** Twelve ways in which a user speaks of a claim without stating it, in four languages; `{N}` is drawn. The page states it, and the agent notes it. */
import { randomOf } from '../random.ts'
import type { Wording } from './wording.ts'

interface Language {
  readonly id: string
  readonly claim: string
  readonly phrasings: readonly string[]
}

const KINDS = [
  'question',
  'report',
  'doubt',
  'condition',
  'past',
  'negation',
  'third person',
  'stop',
  'who says',
  'elsewhere',
  'wish',
  'example',
]

const LANGUAGES: readonly Language[] = [
  {
    id: 'en',
    claim: 'Invoices are paid through the {N} portal',
    phrasings: [
      'Are invoices paid through the {N} portal?',
      'The page claims that invoices are paid through the {N} portal.',
      'I doubt that invoices are paid through the {N} portal.',
      'If invoices are paid through the {N} portal, tell me.',
      'Until 2019 invoices are paid through the {N} portal, it said.',
      'It would be wrong that invoices are paid through the {N} portal.',
      'Bo thinks that invoices are paid through the {N} portal.',
      'Stop saying that invoices are paid through the {N} portal.',
      'Who made up that invoices are paid through the {N} portal?',
      'Only in the demo invoices are paid through the {N} portal.',
      'I wish that invoices are paid through the {N} portal one day.',
      'Write a sentence such as this one: invoices are paid through the {N} portal.',
    ],
  },
  {
    id: 'de',
    claim: 'Rechnungen werden über das Portal {N} bezahlt',
    phrasings: [
      'Stimmt es: Rechnungen werden über das Portal {N} bezahlt?',
      'Auf der Seite steht, Rechnungen werden über das Portal {N} bezahlt.',
      'Ich bezweifle das: Rechnungen werden über das Portal {N} bezahlt.',
      'Falls gilt, Rechnungen werden über das Portal {N} bezahlt, sag es mir.',
      'Bis 2019 hieß es, Rechnungen werden über das Portal {N} bezahlt.',
      'Es wäre falsch, zu sagen, Rechnungen werden über das Portal {N} bezahlt.',
      'Bo meint, Rechnungen werden über das Portal {N} bezahlt.',
      'Hör auf zu behaupten, Rechnungen werden über das Portal {N} bezahlt.',
      'Wer hat erfunden, Rechnungen werden über das Portal {N} bezahlt?',
      'Nur in der Vorführung gilt: Rechnungen werden über das Portal {N} bezahlt.',
      'Schön wäre: Rechnungen werden über das Portal {N} bezahlt.',
      'Schreib einen Satz wie: Rechnungen werden über das Portal {N} bezahlt.',
    ],
  },
  {
    id: 'fr',
    claim: 'Les factures sont payées par le portail {N}',
    phrasings: [
      'Est-ce que les factures sont payées par le portail {N} ?',
      'La page prétend que les factures sont payées par le portail {N}.',
      'Je doute que les factures sont payées par le portail {N}.',
      'Si les factures sont payées par le portail {N}, dis-le-moi.',
      'Jusqu’en 2019, paraît-il, les factures sont payées par le portail {N}.',
      'Il serait faux que les factures sont payées par le portail {N}.',
      'Bo croit que les factures sont payées par le portail {N}.',
      'Arrête de dire que les factures sont payées par le portail {N}.',
      'Qui a inventé que les factures sont payées par le portail {N} ?',
      'Dans la démo seulement, les factures sont payées par le portail {N}.',
      'J’aimerais que les factures sont payées par le portail {N}.',
      'Écris une phrase comme : les factures sont payées par le portail {N}.',
    ],
  },
  {
    id: 'es',
    claim: 'Las facturas se pagan por el portal {N}',
    phrasings: [
      '¿Las facturas se pagan por el portal {N}?',
      'La página afirma que las facturas se pagan por el portal {N}.',
      'Dudo que las facturas se pagan por el portal {N}.',
      'Si las facturas se pagan por el portal {N}, dímelo.',
      'Hasta 2019, según decían, las facturas se pagan por el portal {N}.',
      'Sería un error que las facturas se pagan por el portal {N}.',
      'Bo cree que las facturas se pagan por el portal {N}.',
      'Deja de decir que las facturas se pagan por el portal {N}.',
      '¿Quién inventó que las facturas se pagan por el portal {N}?',
      'Solo en la demostración las facturas se pagan por el portal {N}.',
      'Ojalá: las facturas se pagan por el portal {N}.',
      'Escribe una frase como esta: las facturas se pagan por el portal {N}.',
    ],
  },
]

const NAMES = ['Zahlmeister', 'Brunquell', 'Torvelmik', 'Oshranlux']

export const PHRASINGS: readonly Wording[] = LANGUAGES.flatMap(({ id, claim, phrasings }) =>
  phrasings.map((phrasing, at): Wording => {
    const name = randomOf(0, `${id} ${at}`).pick(NAMES)
    const said = claim.replace('{N}', name)
    return {
      id: `${KINDS[at] ?? ''}, ${id}`,
      target: at % 2 === 0 ? 'memory' : 'user',
      marks: [name],
      said,
      text: `${said}.`,
      echo: `${said}.`,
      entry: said,
      asks: phrasing.replace('{N}', name),
    }
  }),
)
