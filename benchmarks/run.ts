/**
 * Runs a benchmark of this folder, or one part of it: `bench <name> [part] [options]`. `--save` also writes the report to `results/`, with machine, date and commit,
 * and into the pages that show it; `--outcomes <file>` every outcome as JSON. Other options are the part's own. Without a name it lists what there is.
 */
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writePages } from './pages.ts'
import { describeMeasuring, measuring, type Part, type Report } from './report.ts'

const RESULTS = join(import.meta.dirname, 'results')

type Parts = Readonly<Record<string, Part>>

const partsOf = async (name: string): Promise<Parts | undefined> => {
  const module: unknown = await import(new URL(`${name}.ts`, import.meta.url).href)
  return typeof module === 'object' && module !== null && 'parts' in module ? (module.parts as Parts) : undefined
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

/** Takes an option of the runner out of the list. */
const take = (args: string[], option: string, values: number): readonly string[] | undefined => {
  const at = args.indexOf(option)
  return at < 0 ? undefined : args.splice(at, 1 + values).slice(1)
}

const HELPERS: ReadonlySet<string> = new Set(['run', 'options', 'pages', 'report', 'timing', 'read-lines'])
const names = (await readdir(import.meta.dirname))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .filter((name) => !HELPERS.has(name))
  .sort()

const args = process.argv.slice(2).filter((argument) => argument !== '--')
const command = ['bench', ...args].filter((argument) => argument !== '--save').join(' ')
const isSaved = take(args, '--save', 0) !== undefined
const outcomesFile = take(args, '--outcomes', 1)?.[0]
const name = args.shift()
if (name === undefined || !names.includes(name))
  fail(`${name === undefined ? 'Name a benchmark' : `There is no benchmark '${name}'`}: ${names.join(', ')}.`)

const parts = (await partsOf(name ?? '')) ?? fail(`benchmarks/${name}.ts exports no parts.`)
const wanted = args[0] !== undefined && !args[0].startsWith('-') ? args.shift() : undefined
if (wanted !== undefined && !(wanted in parts)) fail(`${name} has no part '${wanted}': ${Object.keys(parts).join(', ')}.`)

/** A wrong option is the caller's mistake, and needs no stack. */
const runPart = async (run: Part): Promise<Report> => {
  try {
    return await run(args)
  } catch (error) {
    const isUsage =
      error instanceof RangeError || (error instanceof TypeError && 'code' in error && `${error.code}`.startsWith('ERR_PARSE_ARGS'))
    return isUsage ? fail(error.message) : Promise.reject(error)
  }
}

for (const [part, run] of Object.entries(parts)) {
  if (wanted !== undefined && part !== wanted) continue
  const finish = measuring()
  const { blocks, page: pageOf, chart, outcomes, held = true } = await runPart(run)
  const measured = finish()
  console.log(`\n# ${name}: ${part}\n\n${blocks.join('\n\n')}\n\n${describeMeasuring(measured)}`)
  if (!held) process.exitCode = 1
  if (isSaved) {
    const [id, page] = [`${name}-${part}`, pageOf?.(measured)]
    await writeFile(join(RESULTS, `${id}.json`), `${JSON.stringify({ command, measured, held, blocks, page, chart }, undefined, 2)}\n`)
    if (page !== undefined) writePages(id, page)
  }
  if (outcomesFile !== undefined) await writeFile(outcomesFile, `${JSON.stringify(outcomes ?? blocks, undefined, 1)}\n`)
}
