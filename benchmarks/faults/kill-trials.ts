/** Processes that are killed at a change of a home on disk. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fileSystemBackend } from '@hermes/core/file-system'
import { fillHome, type Outcome, type Scenario } from './scenarios.ts'
import { checkAfter, runTrials, spread, type Trials } from './try-fault.ts'

export const MOMENTS = ['before a change', 'in a change'] as const

/** Not bundled, so that koffi is found as in an installed package. */
const program = fileURLToPath(new URL('kill-program.ts', import.meta.url))

const play = (home: string, { name }: Scenario, number: number, moment: string) => {
  const { signal, stdout, stderr } = spawnSync(process.execPath, [program, home, name, String(number), moment], { encoding: 'utf8' })
  if (signal === 'SIGKILL') return undefined
  if (stdout === '') throw new Error(`The process of '${name}' ended without a result: ${stderr}`)
  return JSON.parse(stdout) as { readonly outcome: Outcome; readonly changes: number }
}

/** `most`: the maximum number of changes at which the process is killed. */
export const tryKills = async (scenario: Scenario, moment: (typeof MOMENTS)[number], most: number): Promise<Trials> => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-faults-'))
  const copy = (name: string): string => {
    const home = join(folder, name)
    cpSync(join(folder, 'home'), home, { recursive: true, preserveTimestamps: true })
    return home
  }
  try {
    const storage = fileSystemBackend(join(folder, 'home'), { onWarning: () => {} })
    await fillHome(storage)
    await scenario.prepare?.(storage)
    await storage.close()
    const whole = play(copy('whole'), scenario, 0, moment)
    if (whole?.outcome !== 'done') throw new Error(`${scenario.name} does not succeed without a fault.`)
    return await runTrials(scenario.name, `killed ${moment}`, spread(whole.changes, most), whole.changes, async (at) => {
      const home = copy(`killed-at-${at}`)
      const ended = play(home, scenario, at, moment)
      const left = fileSystemBackend(home, { onWarning: () => {} })
      try {
        return await checkAfter(left, scenario, ended?.outcome ?? 'failed')
      } catch (cause) {
        return [`the check failed: ${String(cause)}`]
      } finally {
        await left.close()
        rmSync(home, { recursive: true, force: true })
      }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
