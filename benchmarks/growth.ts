/**
 * How the cost of an operation grows with turns, sessions, entries, skills, journal records and owners: processor time, storage calls and bytes, over storage in memory. Each
 * should be constant, or at most linear: the exponent is 0 for constant, 1 for linear, fitted to all sizes and for the last step alone. `--records <n>` and `--owners <n>`: the
 * largest journal, and the most owners (default 1,000,000 and 100,000).
 */
import { parseArgs } from 'node:util'
import { axes } from './growth/axes.ts'
import { type GrowthLine, measureAxis } from './growth/measure-axis.ts'
import { describeMeasuring, measuring } from './measured-on.ts'

const printLine = ({ operation, exponent, lastStep, points }: GrowthLine): void => {
  console.log(`  ${operation.padEnd(34)} exponent ${exponent.toFixed(2).padStart(5)}, last step ${lastStep.toFixed(2).padStart(5)}`)
  for (const { size, ms, calls, read, written } of points) {
    const [time, bytes] = [ms.toFixed(3).padStart(10), `${String(read).padStart(9)} read ${String(written).padStart(8)} written`]
    console.log(`    ${size.toLocaleString('en').padStart(9)} ${time} ms   calls ${String(calls).padStart(6)}   bytes ${bytes}`)
  }
}

/** Prints the table, and the operation that grows most. */
export const run = async (given: readonly string[] = []): Promise<void> => {
  const { values } = parseArgs({
    args: [...given],
    options: {
      records: { type: 'string', default: '1000000' },
      owners: { type: 'string', default: '100000' },
    },
  })
  const finish = measuring()
  const lines: GrowthLine[] = []
  for (const axis of axes({ records: Number(values.records), people: Number(values.owners) })) {
    console.log(axis.name)
    const measured = await measureAxis(axis)
    for (const line of measured) printLine(line)
    lines.push(...measured)
  }
  const [worst] = lines.toSorted((a, b) => b.lastStep - a.lastStep)
  if (worst) console.log(`Grows most: ${worst.axis}, ${worst.operation}, exponent ${worst.lastStep.toFixed(2)} in the last step`)
  console.log(describeMeasuring(finish()))
}

if (import.meta.main) await run(process.argv.slice(2))
