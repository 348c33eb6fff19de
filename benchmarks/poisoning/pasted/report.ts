/** The tables of what is found and what is wrongly cut, as Markdown. */
import { percent, table } from '../../report.ts'
import { FORMS, type Group, type PastedCase } from './forms.ts'
import { type HonestMessage, LIKE_COPIES } from './honest.ts'
import { isCut, isFound, keepsOwn, without } from './measure.ts'

const shareOf = (part: number, all: number): string => percent(part / all)

const countOf = <T>(list: readonly T[], is: (item: T) => boolean): number => list.filter(is).length

/** Groups with the share that is found with all structures and with all but their own, and what that structure alone cuts of honest text. */
const foundTable = (cases: readonly PastedCase[], honest: readonly HonestMessage[]): string =>
  table(
    ['structure', 'forms', 'cases', 'found', 'found without it', 'own words kept', 'honest messages it cuts'],
    (Object.keys(FORMS) as Group[]).map((group) => {
      const some = cases.filter((each) => each.group === group)
      const rest = without(group)
      return [
        group,
        Object.keys(FORMS[group]).length,
        some.length,
        shareOf(
          countOf(some, (each) => isFound(each)),
          some.length,
        ),
        group === 'none'
          ? ''
          : shareOf(
              countOf(some, (each) => isFound(each, rest)),
              some.length,
            ),
        shareOf(countOf(some, keepsOwn), some.length),
        group === 'none' ? '' : countOf(honest, (each) => isCut(each) && !isCut(each, rest)),
      ]
    }),
  )

/** Forms of which something is missed. */
const missedTable = (cases: readonly PastedCase[]): string => {
  const names = [...new Set(cases.map(({ group, form }) => `${group}: ${form}`))]
  const rows = names.map((name) => {
    const some = cases.filter(({ group, form }) => `${group}: ${form}` === name)
    return { name, some, missed: some.filter((each) => !isFound(each)) }
  })
  return table(
    ['form', 'missed', 'languages'],
    rows
      .filter(({ missed }) => missed.length > 0)
      .map(({ name, some, missed }) => {
        const languages = [...new Set(missed.map(({ language }) => language))]
        return [name.replaceAll('|', '\\|'), `${missed.length} of ${some.length}`, languages.length > 14 ? 'all' : languages.join(', ')]
      }),
  )
}

/** By language, and the kinds of which something is cut. */
const cutTable = (honest: readonly HonestMessage[], of: 'kind' | 'language'): string => {
  const names = [...new Set(honest.map((message) => message[of]))]
  const rows = names
    .map((name) => honest.filter((message) => message[of] === name))
    .map((some) => ({ some, cut: countOf(some, (each) => isCut(each)) }))
  return table(
    [of, 'messages', 'wrongly cut'],
    rows
      .filter(({ cut }) => of === 'language' || cut > 0)
      .map(({ some, cut }) => [some[0]?.[of] ?? '', some.length, `${cut} (${shareOf(cut, some.length)})`]),
  )
}

export const describePasted = (cases: readonly PastedCase[], messages: readonly HonestMessage[]): readonly string[] => {
  const honest = messages.filter(({ kind }) => !LIKE_COPIES.has(kind))
  const alike = messages.filter(({ kind }) => LIKE_COPIES.has(kind))
  const cut = countOf(honest, (message) => isCut(message))
  return [
    foundTable(cases, honest),
    `Missed:\n\n${missedTable(cases)}`,
    `${cut} of ${honest.length} honest messages are wrongly cut (${shareOf(cut, honest.length)}).`,
    cutTable(honest, 'language'),
    cutTable(honest, 'kind'),
    `Own words in the very form of a copy, not counted above:\n\n${cutTable(alike, 'kind')}`,
  ]
}
