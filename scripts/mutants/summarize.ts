import type { AcceptedMutant } from './accepted/accepted-mutant.ts'

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

const fits = (wanted: string | RegExp | undefined, text: string): boolean =>
  wanted instanceof RegExp ? wanted.exec(text)?.[0] === text : wanted === undefined || wanted === text

const isSame = ({ file, line, code, becomes }: AcceptedMutant, mutant: SurvivingMutant): boolean =>
  fits(file, mutant.file) && fits(line, mutant.line) && fits(code, mutant.code) && fits(becomes, mutant.becomes)

/** A row for each folder, then each survivor that is not accepted. `isComplete` is true if there is none. */
export const summarize = (
  results: readonly FolderResult[],
  accepted: readonly AcceptedMutant[],
): { readonly text: string; readonly isComplete: boolean } => {
  const isAccepted = (mutant: SurvivingMutant) => accepted.some((entry) => isSame(entry, mutant))
  const rows = results.map(({ name, killed, open, seconds }) => {
    const rest = open.filter((mutant) => !isAccepted(mutant))
    const counted = killed + rest.length
    const survived = rest.filter((mutant) => mutant.isCovered).length
    return [
      name,
      killed,
      survived,
      rest.length - survived,
      open.length - rest.length,
      counted === 0 ? '-' : `${((100 * killed) / counted).toFixed(1)} %`,
      `${Math.round(seconds)} s`,
    ]
  })
  const table = [['folder', 'killed', 'survived', 'no coverage', 'accepted', 'score', 'time'], ...rows]
  const lines = table.map((row) =>
    row
      .map((cell, column) => String(cell).padEnd(column === 0 ? 10 : 13))
      .join('')
      .trimEnd(),
  )
  const survivors = results
    .flatMap(({ open }) => open)
    .filter((mutant) => !isAccepted(mutant))
    .map(({ file, lineNumber, line, code, becomes, mutator, isCovered }) =>
      [`${file}:${lineNumber} ${mutator}${isCovered ? '' : ', no coverage'}`, `  ${line}`, `  ${code}  becomes  ${becomes}`].join('\n'),
    )
  return { text: `${[...lines, '', ...survivors].join('\n')}\n`, isComplete: survivors.length === 0 }
}
