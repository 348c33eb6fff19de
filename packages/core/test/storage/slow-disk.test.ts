/** A slow disk delays only its own calls, never the event loop: a caller's time limit can fire. */

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { startChild } from './support/child.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const support = (name: string) => fileURLToPath(new URL(`./support/${name}`, import.meta.url))

it.each(['auto', 'exclusive-file'])('makes no synchronous call below the home, lock: %s', async (lock) => {
  const home = join(temporaryFolder(), 'home')
  const child = startChild(process.execPath, [support('synchronous-calls.ts'), JSON.stringify({ home, lock })])
  const { outcomes, calls } = JSON.parse(await child.line())
  expect(outcomes).toEqual(Array.from({ length: 10 }, () => 'ok'))
  expect(calls).toEqual([])
})
