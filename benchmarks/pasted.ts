/** How much copied mail, chat and documents a user's message shows as text from outside, and how often the user's own words are taken for it. */
import { pastedCases } from './poisoning/pasted/forms.ts'
import { honestMessages, LIKE_COPIES } from './poisoning/pasted/honest.ts'
import { isCut } from './poisoning/pasted/measure.ts'
import { cutTable, foundTable, missedTable, percent } from './poisoning/pasted/report.ts'

const SEEDS = [1, 2, 3]
const PER_KIND = 3

export const run = (): void => {
  const began = performance.now()
  const cases = pastedCases()
  const all = SEEDS.flatMap((seed) => honestMessages(seed, PER_KIND))
  const honest = all.filter(({ kind }) => !LIKE_COPIES.has(kind))
  const alike = all.filter(({ kind }) => LIKE_COPIES.has(kind))
  const cut = honest.filter((message) => isCut(message)).length
  console.log(`${foundTable(cases, honest)}\n\nMissed:\n\n${missedTable(cases)}`)
  console.log(
    `\n${cut} of ${honest.length} honest messages are wrongly cut (${percent(cut, honest.length)}).\n\n${cutTable(honest, 'language')}`,
  )
  console.log(`\n${cutTable(honest, 'kind')}\n\nOwn words in the very form of a copy, not counted above:\n\n${cutTable(alike, 'kind')}`)
  console.log(`\n${((performance.now() - began) / 1000).toFixed(1)} s`)
}
