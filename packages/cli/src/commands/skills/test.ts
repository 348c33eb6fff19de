/** `hermes skills test`: plays the checks of a skill with it and without it, and shows both. */
import type { JournalRecord } from '@hermes/core'
import { countPassed, type PlayedCheck, readSkillFiles, type SkillTest, testSkill } from '@hermes/core/skills'
import { failed, interrupted, isFailure } from '../../answer.ts'
import { wholeNumber } from '../../arguments.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { describeDollars, dollarsOf, PRICE_OPTION, type Price } from '../../model/price.ts'
import { openReviewModel } from '../../model/review-model.ts'
import { hint } from '../../terminal/field-list.ts'
import { counted } from '../../terminal/format.ts'
import { untilInterrupted } from '../../terminal/progress.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { SKILL_NAME } from '../curator/open-curator.ts'
import { openJournal } from '../journal/read-journal.ts'
import { failedWithCloseNames, openSkillReader } from './library.ts'

interface CheckRow {
  readonly path: string
  /** Who wrote the check, as far as the journal knows. */
  readonly by: string
  readonly without: number
  readonly with: number
  readonly runs: number
  /** What the first failed answer with the skill lacks or holds. */
  readonly failure: string | undefined
}

const AUTHORS: Readonly<Record<JournalRecord['actor'], string>> = {
  review: 'a review',
  agent: 'the agent',
  curator: 'a merge',
  person: 'a person',
  host: 'the app',
}

/** Of each check of the skill, by its path: who wrote it last. */
const readAuthors = async (name: string, context: Context): Promise<ReadonlyMap<string, string>> => {
  const listed = await openJournal(context).list({ text: name, kind: 'applied' })
  if (!listed.ok) context.warn(`Who wrote the checks is not known: ${listed.error.message}`)
  const authors = new Map<string, string>()
  for (const { op, actor } of listed.ok ? listed.value : [])
    if (op && 'filePath' in op && op.filePath !== undefined && op.name === name && !authors.has(op.filePath))
      authors.set(op.filePath, AUTHORS[actor])
  return authors
}

const failureOf = ({ answers }: PlayedCheck): string | undefined => {
  const failure = answers.find(({ passed }) => !passed)
  if (!failure) return undefined
  return [...failure.missing.map((text) => `lacks '${text}'`), ...failure.forbidden.map((text) => `has '${text}'`)].join(', ')
}

const toRows = (test: SkillTest, runs: number, authors: ReadonlyMap<string, string>): readonly CheckRow[] =>
  test.with.map((skilled, index) => {
    const bare = test.without[index]
    return {
      path: skilled.check.path,
      by: authors.get(skilled.check.path) ?? 'not known',
      without: bare ? countPassed([bare]) : 0,
      with: countPassed([skilled]),
      runs,
      failure: failureOf(skilled),
    }
  })

/** The share of checks that passed in each run: its mean, least and most, from 0 to 1. */
const spreadOf = (played: readonly PlayedCheck[], runs: number) => {
  const shares = Array.from({ length: runs }, (_, run) => played.filter(({ answers }) => answers[run]?.passed).length / played.length)
  return { mean: shares.reduce((sum, share) => sum + share, 0) / runs, least: Math.min(...shares), most: Math.max(...shares) }
}

const percent = (share: number): string => `${Math.round(share * 100)}%`

const describeSpread = ({ mean, least, most }: ReturnType<typeof spreadOf>, runs: number): string =>
  `${percent(mean)}${runs === 1 ? '' : ` (${percent(least)} to ${percent(most)})`}`

const COLUMNS: readonly Column<CheckRow>[] = [
  { title: 'CHECK', cell: ({ path }) => path, least: 16 },
  { title: 'BY', cell: ({ by }) => by, drop: 1 },
  { title: 'WITHOUT', cell: ({ without, runs }) => `${without} of ${runs}`, align: 'right' },
  { title: 'WITH', cell: ({ with: skilled, runs }) => `${skilled} of ${runs}`, align: 'right' },
  { title: 'MISSED', cell: ({ failure = '' }) => failure, least: 12, drop: 2 },
]

const OWN_CHECKS = 'Checks that the author of a skill wrote prove little alone: write one yourself for what matters.'

interface PaidModel {
  readonly label: string
  readonly price: Price | undefined
}

const render = (rows: readonly CheckRow[], value: ReturnType<typeof toValue>, { label, price }: PaidModel, terminal: Terminal): string => {
  const { runs, cost, without, with: skilled } = value
  const byAgent = rows.some(({ by }) => by === AUTHORS.review || by === AUTHORS.agent)
  const tokens = cost ? `, ${cost.estimated ? 'about ' : ''}${counted(cost.inputTokens + cost.outputTokens, 'token')}` : ''
  const dollars = cost && price ? `, ${describeDollars(cost, price)}` : ''
  return [
    `Played ${counted(rows.length, 'check')} ${counted(runs, 'time')} with ${label}${tokens}${dollars}.\n`,
    renderTable(COLUMNS, rows, terminal),
    `Passed without the skill: ${describeSpread(without, runs)}; with it: ${describeSpread(skilled, runs)}.\n`,
    ...(byAgent ? [hint(OWN_CHECKS, terminal)] : []),
  ].join('')
}

const toValue = (name: string, test: SkillTest, rows: readonly CheckRow[], runs: number, price: Price | undefined) => ({
  name,
  runs,
  without: spreadOf(test.without, runs),
  with: spreadOf(test.with, runs),
  checks: rows,
  problems: test.problems.map(({ message }) => message),
  ...(test.cost ? { cost: { ...test.cost, ...(price ? { dollars: dollarsOf(test.cost, price) } : {}) } } : {}),
})

export const testCommand = defineCommand({
  examples: [
    ['hermes skills test deploy', 'once with the skill and once without it'],
    ['hermes skills test deploy --runs 5', 'five times each, to see how much the answers vary'],
  ],
  options: (parser) =>
    parser
      .positional('name', SKILL_NAME)
      .option('runs', {
        coerce: wholeNumber('runs', 1, 100),
        default: 1,
        requiresArg: true,
        describe: 'how often each check is played, with and without the skill',
      })
      .option('max-tokens', {
        coerce: wholeNumber('max-tokens', 1_000, 100_000_000),
        default: 200_000,
        requiresArg: true,
        describe: 'the most that all questions and answers together may cost',
      })
      .option('price', PRICE_OPTION)
      .option('model', { type: 'string', requiresArg: true, describe: 'the model; default: that of reviews' }),
  run: async ({ name, runs, 'max-tokens': maxTokens, model: named, price: given }, context) => {
    const reader = openSkillReader(context)
    const viewed = await reader.view(name)
    if (!viewed.ok) return failedWithCloseNames(viewed.error, context)
    const files = await readSkillFiles(name, reader)
    if (!files.ok) return failed(files.error)
    const asked = await openReviewModel(named, context, 'A skill is tested with a model.')
    if (isFailure(asked)) return failed(asked)
    return untilInterrupted('Stopping …', context, async ({ signal }) => {
      context.progress.show(`Asking ${asked.label} …`)
      const onAnswer = (done: number, total: number) => context.progress.count(done, total, 'answers')
      const tested = await testSkill(files.value, { model: asked.model, runs, maxTokens, signal, onAnswer, clock: context.clock })
      if (signal.aborted) return interrupted('Stopped by Ctrl-C. Nothing was changed.')
      if (!tested.ok) {
        const { code, message, details } = tested.error
        return failed({
          code,
          details,
          message: message.replace("'maxTokens'", '--max-tokens') + (code === 'model' ? ` ${asked.advice}` : ''),
        })
      }
      for (const { message } of tested.value.problems) context.warn(message)
      const rows = toRows(tested.value, runs, await readAuthors(viewed.value.name, context))
      const price = given ?? asked.price
      const value = toValue(viewed.value.name, tested.value, rows, runs, price)
      return { value, text: (terminal) => render(rows, value, { label: asked.label, price }, terminal) }
    })
  },
})
