/**
 * Measures how many faithful merges of skills are written, and how many altered ones: a dropped negation, a changed number, an added rule, reordered steps. The
 * model is scripted. `--each <n>`: merges of each kind (default 12). `--seed <n>`: other cases. `--show`: also prints each wrong outcome.
 */
import { type MergeOutcome, measure, SEEDS } from './poisoning/merges/measure.ts'

const line = (name: string, outcomes: readonly MergeOutcome[]): string => {
  const written = outcomes.filter((outcome) => outcome.written).length
  return `${name.padEnd(44)}${String(written).padStart(5)} of ${String(outcomes.length).padStart(4)} written`
}

export const run = async (options: readonly string[]): Promise<void> => {
  const numberOf = (option: string, otherwise: number): number => {
    const at = options.indexOf(option)
    return at < 0 ? otherwise : Number(options[at + 1])
  }
  const outcomes = await measure(numberOf('--each', 12), numberOf('--seed', SEEDS[0]))
  const groups = new Map<string, MergeOutcome[]>()
  for (const outcome of outcomes) {
    const { kind, name, trust } = outcome
    for (const key of [`${kind} at ${trust}`, kind === 'altered' ? `  ${name.split(',')[0]} at ${trust}` : `  ${name}`])
      groups.set(key, [...(groups.get(key) ?? []), outcome])
  }
  for (const [name, group] of groups) console.log(line(name, group))
  if (!options.includes('--show')) return
  for (const { kind, name, trust, written, why, content } of outcomes)
    if (written === (kind === 'altered')) console.log(`\n${kind}, ${name}, at ${trust}: ${why}\n${content}`)
}
