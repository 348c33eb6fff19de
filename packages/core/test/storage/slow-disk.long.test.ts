/** A slow disk delays only its own calls, never the event loop: a caller's time limit can fire. */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { updateDocument } from '../../src/storage/one-document.ts'
import { startChild } from './support/child.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const support = (name: string) => fileURLToPath(new URL(`./support/${name}`, import.meta.url))

it('holds the first turn no longer than its limit, and the event loop not at all, when every call takes 3 s', async (context) => {
  const folder = temporaryFolder()
  const shim = join(folder, 'slow-calls.so')
  const compiled =
    process.platform === 'linux' && spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', shim, support('slow-calls.c'), '-ldl']).status === 0
  if (!compiled) return context.skip('calls of the file system cannot be slowed here (needs Linux and a C compiler)')
  const home = join(folder, 'home')
  await updateDocument(fileSystemBackend(home), 'memories/MEMORY.md', () => new TextEncoder().encode('The office is in Lisbon.'))
  const limitMs = 2_000
  const env = { ...process.env, LD_PRELOAD: shim, SLOW_HOME: home, SLOW_MS: '3000' }
  const child = startChild(process.execPath, [support('slow-turn.ts'), JSON.stringify({ home, limitMs })], { env })
  const { heldMs, timerMs, blockedMs } = JSON.parse(await child.line())
  // Close to the limit, so the disk was really slow.
  expect(heldMs).toBeGreaterThan(limitMs * 0.9)
  // A timer of the same length shows the delays of this machine.
  expect(heldMs - timerMs).toBeLessThan(limitMs * 0.1)
  // A single blocking call would take 3 s.
  expect(blockedMs).toBeLessThan(1_500)
})
