/** Cases are data: one JSON value a line, in a file beside the code that uses them. */
import { readFileSync } from 'node:fs'

/** `new URL('cases.jsonl', import.meta.url)`. The type is the reader's promise; the suites check the cases. */
export const readLines = <T>(file: URL): readonly T[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): T => JSON.parse(line))

/** By the name of their group, in the order of the lines. */
export const byGroup = <T extends { readonly group: string }>(lines: readonly T[]): Readonly<Record<string, readonly T[]>> =>
  Object.fromEntries([...new Set(lines.map(({ group }) => group))].map((name) => [name, lines.filter(({ group }) => group === name)]))
