/** A mutant that no test killed. `line` is its trimmed source line, `code` the part of the source that is replaced, `lineNumber` begins at 1; `isCovered` is false if no test runs the line. */
export type SurvivingMutant = {
  readonly file: string
  readonly lineNumber: number
  readonly line: string
  readonly code: string
  readonly becomes: string
  readonly mutator: string
  readonly isCovered: boolean
}

export type FolderResult = {
  readonly name: string
  readonly killed: number
  readonly open: readonly SurvivingMutant[]
  readonly seconds: number
}

/** `score`: percent of the mutants that were killed, to one decimal; null if there was no mutant. */
export type FolderScore = {
  readonly folder: string
  readonly killed: number
  readonly survived: number
  readonly noCoverage: number
  readonly score: number | null
  readonly seconds: number
}

/** In percent. Some mutants change nothing that a test could see, between 1 and 10 in a hundred, depending on the folder; a lower score means that promises have no test. */
export const LOWEST_SCORE = 90

/** Rounded down, so that a score below the limit is never shown as the limit. */
const percent = (part: number, of: number): number => Math.floor((1000 * part) / of) / 10

export const toScore = ({ name, killed, open, seconds }: FolderResult): FolderScore => {
  const survived = open.filter((mutant) => mutant.isCovered).length
  const counted = killed + open.length
  return {
    folder: name,
    killed,
    survived,
    noCoverage: open.length - survived,
    score: counted === 0 ? null : percent(killed, counted),
    seconds: Math.round(seconds),
  }
}

const toLine = ({ file, lineNumber, line, code, becomes, mutator, isCovered }: SurvivingMutant): string =>
  [`${file}:${lineNumber} ${mutator}${isCovered ? '' : ', no coverage'}`, `  ${line}`, `  ${code}  becomes  ${becomes}`].join('\n')

const toTable = (scores: readonly FolderScore[]): readonly string[] =>
  [
    ['folder', 'killed', 'survived', 'no coverage', 'score', 'time'],
    ...scores.map(({ folder, killed, survived, noCoverage, score, seconds }) => {
      return [folder, killed, survived, noCoverage, score === null ? '-' : `${score.toFixed(1)} %`, `${seconds} s`]
    }),
  ].map((row) =>
    row
      .map((cell, column) => String(cell).padEnd(column === 0 ? 10 : 13))
      .join('')
      .trimEnd(),
  )

const toProblem = ({ folder, score }: FolderScore): readonly string[] => {
  if (score === null) return [`${folder}: there was nothing to change, so nothing was tested.`]
  return score < LOWEST_SCORE ? [`${folder}: the score of ${score.toFixed(1)} % is below ${LOWEST_SCORE} %.`] : []
}

/** The survivors, a row for each folder, then the folders below LOWEST_SCORE. `isEnough` is true if there is none. A folder without a mutant is one: it may have moved. */
export const summarize = (results: readonly FolderResult[]): { readonly text: string; readonly isEnough: boolean } => {
  const scores = results.map(toScore)
  const problems = scores.flatMap(toProblem)
  const blocks = [results.flatMap(({ open }) => open.map(toLine)), toTable(scores), problems].filter((lines) => lines.length > 0)
  return { text: `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`, isEnough: problems.length === 0 }
}
