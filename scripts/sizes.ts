/**
 * Lines of code and files of each folder, without tests, blank lines and comments, beside the most that `sizes.json` allows: what was reached, and 5 %.
 * `node scripts/sizes.ts` prints the table and ends with exit code 1 if a folder is too large; `--write` keeps what is there now as reached.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const REACHED = join(import.meta.dirname, 'sizes.json')
const MARGIN = 1.05

type Size = readonly [lines: number, files: number]
type Sizes = Readonly<Record<string, Size>>

/** Lines with anything but white space and comments; a comment within a line of code does not matter. */
export const codeLinesIn = (text: string): number => {
  let isComment = false
  let lines = 0
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (isComment) isComment = !line.includes('*/')
    else if (line.startsWith('/*')) isComment = !line.includes('*/')
    else if (line !== '' && !line.startsWith('//')) lines++
  }
  return lines
}

const isCode = (name: string): boolean => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\.d\.ts$/.test(name)

const sizeOf = (folder: string, { deep }: { readonly deep: boolean }): Size => {
  const files = readdirSync(join(ROOT, folder), { recursive: deep, withFileTypes: true }).filter(
    (each) => each.isFile() && isCode(each.name),
  )
  const lines = files.map(({ parentPath, name }) => codeLinesIn(readFileSync(join(parentPath, name), 'utf8')))
  return [lines.reduce((sum, each) => sum + each, 0), files.length]
}

const foldersIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((each) => each.isDirectory() && each.name !== 'node_modules' && each.name !== 'dist')
    .map(({ name }) => `${folder}/${name}`)

/** Each folder of core, then the sources of each other package. */
export const measureSizes = (): Sizes => {
  const core = 'packages/core/src'
  const others = foldersIn('packages').filter((folder) => folder !== 'packages/core')
  return {
    [`${core} (top)`]: sizeOf(core, { deep: false }),
    ...Object.fromEntries(foldersIn(core).map((folder) => [folder, sizeOf(folder, { deep: true })])),
    [core]: sizeOf(core, { deep: true }),
    ...Object.fromEntries(others.map((folder) => [folder, sizeOf(`${folder}/src`, { deep: true })])),
  }
}

export const readReached = (): Sizes => JSON.parse(readFileSync(REACHED, 'utf8'))

const mostOf = (reached: number): number => Math.ceil(reached * MARGIN)

/** One message for each folder that is too large, or not in the list. */
export const tooLargeIn = (sizes: Sizes, reached: Sizes): readonly string[] =>
  Object.entries(sizes).flatMap(([folder, [lines, files]]) => {
    const before = reached[folder]
    if (!before) return [`${folder} is new: keep its size with 'node scripts/sizes.ts --write'.`]
    const [most, mostFiles] = before.map(mostOf) as [number, number]
    if (lines <= most && files <= mostFiles) return []
    return [
      `${folder} has ${lines} lines in ${files} files, at most ${most} in ${mostFiles}. Make it smaller, or say in the commit why it has to grow.`,
    ]
  })

const tableOf = (sizes: Sizes, reached: Sizes): string =>
  Object.entries(sizes)
    .map(([folder, [lines, files]]) => {
      const [most, mostFiles] = (reached[folder] ?? [0, 0]).map(mostOf) as [number, number]
      return `${folder.padEnd(36)}${`${lines}`.padStart(7)} of ${`${most}`.padStart(6)} lines${`${files}`.padStart(5)} of ${`${mostFiles}`.padStart(4)} files`
    })
    .join('\n')

if (import.meta.main) {
  const sizes = measureSizes()
  if (process.argv.includes('--write'))
    writeFileSync(REACHED, `${JSON.stringify(sizes, undefined, 2).replace(/\[\s+(\d+),\s+(\d+)\s+\]/g, '[$1, $2]')}\n`)
  const reached = readReached()
  console.log(tableOf(sizes, reached))
  const tooLarge = tooLargeIn(sizes, reached)
  for (const each of tooLarge) console.error(each)
  process.exitCode = tooLarge.length > 0 ? 1 : 0
}
