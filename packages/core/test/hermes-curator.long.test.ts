/** A scheduled run of `hermes.curator` in several processes. `curator/curate.test.ts` has the same a layer below. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { bundledProgram } from '../../../scripts/support/bundled-program.ts'
import { updateCuratorState } from '../src/curator/state.ts'
import { fileSystemBackend } from '../src/storage/files/file-backend.ts'
import { temporaryFolder } from './storage/support/temporary-home.ts'
import { fillLibrary, NOON, pathsIn, unwrap } from './support/curator-library.ts'

const HOUR = 3_600_000

it('hermes.curator.maybeRun runs once among two processes', async () => {
  const home = temporaryFolder()
  const storage = fileSystemBackend(home, { onWarning: () => undefined })
  await fillLibrary(storage, Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`skill-${index}`, { idleDays: 95 }])))
  unwrap(await updateCuratorState(storage, () => ({ lastRunAt: NOON - 168 * HOUR })))
  const script = bundledProgram(new URL('./support/maybe-run-hermes-main.ts', import.meta.url))
  const runs = [1, 2].map(async () => {
    const child = spawn(process.execPath, [script, home, String(NOON)], { stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    child.stdout.on('data', (data) => {
      said += String(data)
    })
    expect((await once(child, 'close'))[0]).toBe(0)
    return said
  })
  expect((await Promise.all(runs)).filter((said) => said !== '')).toEqual(['20'])
  expect((await pathsIn(storage, 'curator/backups')).filter((path) => path.endsWith('.json'))).toHaveLength(1)
  await storage.close()
})
