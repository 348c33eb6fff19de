/**
 * Runs the benchmarks of this folder one after another: every file that exports `run`, or those named on the command line. What follows from the first option on is
 * passed to them.
 */
import { readdir } from 'node:fs/promises'

/** The exports of a benchmark file: `run` measures and prints a table. */
type Run = (options: readonly string[]) => void | Promise<void>

const hasRun = (module: unknown): module is { readonly run: Run } =>
  typeof module === 'object' && module !== null && 'run' in module && typeof module.run === 'function'

const given = process.argv.slice(2).filter((argument) => argument !== '--')
const firstOption = given.findIndex((argument) => argument.startsWith('--'))
const chosen = firstOption < 0 ? given : given.slice(0, firstOption)
const options = firstOption < 0 ? [] : given.slice(firstOption)
const names = (await readdir(import.meta.dirname))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -'.ts'.length))
  .sort()

const unknown = chosen.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${names.join(', ')}.`)
  process.exit(1)
}

for (const name of chosen.length > 0 ? chosen : names) {
  const module: unknown = await import(new URL(`${name}.ts`, import.meta.url).href)
  if (!hasRun(module)) continue
  console.log(`\n${name}\n${'='.repeat(name.length)}`)
  await module.run(options)
}
