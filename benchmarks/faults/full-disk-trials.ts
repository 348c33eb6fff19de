/** A home on a small file system that fills up, with few pages left. Needs the right to mount one. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileSystemBackend } from '@hermes/core/file-system'
import { fillHome, type Scenario } from './scenarios.ts'
import { runTrials, type Trials, tryFault } from './try-fault.ts'

const ROOMY = '16m'

/** Numbers of pages that are left: with none no scenario is done, with the last number each of them is. */
const PAGES_LEFT = [0, 1, 2, 3, 4, 6, 8, 11, 15, 20, 27, 36, 48, 64, 85] as const

const mount = (folder: string, options: string): boolean => spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0

const unmount = (folder: string): void => {
  spawnSync('umount', ['-l', folder])
}

/** Undefined if no file system can be mounted here. */
export const tryFullDisk = async (scenario: Scenario): Promise<Trials | undefined> => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-full-'))
  const [template, disk] = [join(folder, 'template'), join(folder, 'disk')]
  mkdirSync(disk)
  try {
    const filled = fileSystemBackend(template, { onWarning: () => {} })
    await fillHome(filled)
    await scenario.prepare?.(filled)
    await filled.close()
    if (!mount(disk, `size=${ROOMY}`)) return undefined
    unmount(disk)
    return await runTrials(scenario.name, 'a full file system', PAGES_LEFT, PAGES_LEFT.length, async (left) => {
      mount(disk, `size=${ROOMY}`)
      try {
        const home = join(disk, 'home')
        cpSync(template, home, { recursive: true, preserveTimestamps: true })
        const { blocks, bfree, bsize } = statfsSync(disk)
        mount(disk, `remount,size=${(blocks - bfree + left) * bsize}`)
        const full = fileSystemBackend(home, { onWarning: () => {} })
        const roomy = fileSystemBackend(home, { onWarning: () => {} })
        const played = { ...full, close: async () => {} }
        // There is room again when the act is over.
        const act: Scenario['act'] = async (...given) => {
          const outcome = await scenario.act(...given)
          mount(disk, `remount,size=${ROOMY}`)
          return outcome
        }
        const wrong = await tryFault(played, roomy, { ...scenario, act })
        await full.close()
        await roomy.close()
        return wrong
      } finally {
        unmount(disk)
      }
    })
  } finally {
    unmount(disk)
    rmSync(folder, { recursive: true, force: true })
  }
}
