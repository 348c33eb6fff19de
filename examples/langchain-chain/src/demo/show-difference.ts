/** The lines that one program has and the other has not. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const linesOf = (file: string): readonly string[] => readFileSync(join(import.meta.dirname, '..', file), 'utf8').split('\n')

/** Doc lines and blank lines aside; `+` is in `after` only, `-` in `before` only. */
export const difference = (before: string, after: string): readonly string[] => {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  const matters = (line: string) => line.trim() !== '' && !line.startsWith('/**')
  const gone = old.filter((line) => matters(line) && !fresh.includes(line)).map((line) => `- ${line}`)
  return [...gone, ...fresh.filter((line) => matters(line) && !old.includes(line)).map((line) => `+ ${line}`)]
}
