/**
 * How the cost of an operation grows with turns, sessions, entries, skills, journal records and owners: processor time, storage calls and bytes, over storage in memory. Each
 * should be constant, or at most linear: the exponent is that of the last step in size, 0 for constant, 1 for linear. `--records <n>` and `--owners <n>`: the largest
 * journal, and the most owners (default 100,000 each); `--plot <file>`: writes a plot in SVG.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { axes } from './growth/axes.ts'
import { type GrowthLine, measureAxis } from './growth/measure-axis.ts'
import { plotGrowth } from './growth/plot-growth.ts'

/** Prints the table, and the operation that grows most. */
export const run = async (given: readonly string[] = []): Promise<void> => {
  const { values } = parseArgs({
    args: [...given],
    options: { records: { type: 'string', default: '100000' }, owners: { type: 'string', default: '100000' }, plot: { type: 'string' } },
  })
  const lines: GrowthLine[] = []
  for (const axis of axes({ records: Number(values.records), people: Number(values.owners) })) {
    console.log(axis.name)
    for (const line of await measureAxis(axis)) {
      lines.push(line)
      console.log(`  ${line.operation.padEnd(34)} exponent ${line.exponent.toFixed(2).padStart(5)}`)
      for (const { size, ms, calls, read, written } of line.points) {
        const [time, bytes] = [ms.toFixed(3).padStart(10), `${String(read).padStart(9)} read ${String(written).padStart(8)} written`]
        console.log(`    ${size.toLocaleString('en').padStart(9)} ${time} ms   calls ${String(calls).padStart(6)}   bytes ${bytes}`)
      }
    }
  }
  const [worst] = lines.toSorted((a, b) => b.exponent - a.exponent)
  if (worst) console.log(`Grows most: ${worst.axis}, ${worst.operation}, exponent ${worst.exponent.toFixed(2)}`)
  if (values.plot !== undefined) writeFileSync(values.plot, plotGrowth(lines))
}

if (import.meta.main) await run(process.argv.slice(2))
