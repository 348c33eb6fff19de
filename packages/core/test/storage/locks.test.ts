/** How long an update waits for another process, and what it says then. */

import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundledProgram } from '../../../../scripts/support/bundled-program.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import { startChild } from './support/child.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const PATH = 'memories/MEMORY.md'
const quiet = { onWarning: () => undefined }
const one = () => new Uint8Array([1])
const holder = bundledProgram(new URL('./support/hold-lock.ts', import.meta.url))

const hold = async (home: string, lock: 'auto' | 'exclusive-file', path: string) => {
  const child = startChild(process.execPath, [holder, JSON.stringify({ home, lock, path, text: 'theirs' })])
  expect(await child.line()).toBe('held')
  return child
}

describe.each(['auto', 'exclusive-file'] as const)('lock: %s', (lock) => {
  it.each([PATH, 'sessions/a.json'])(
    'makes an update of %s wait for another process, and names the lock when the time is over',
    async (path) => {
      const home = temporaryFolder()
      const child = await hold(home, lock, path)
      const impatient = await updateDocument(fileSystemBackend(home, { lock, timeoutMs: 600, ...quiet }), path, one)
      expect(impatient).toMatchObject({ ok: false, error: { code: 'locked' } })
      const named = !impatient.ok && impatient.error.details['lock']
      expect(typeof named === 'string' && existsSync(named)).toBe(true)
      expect(!impatient.ok && impatient.error.message).toContain(String(named))
      child.say('go')
      expect(await child.line()).toBe('written')
      expect(await updateDocument(fileSystemBackend(home, { lock, ...quiet }), path, one)).toMatchObject({ ok: true })
    },
  )

  it('lets updates through two names of one document exclude each other', async () => {
    const home = temporaryFolder()
    const storage = fileSystemBackend(home, { lock, ...quiet })
    await updateDocument(storage, 'real/log', () => new Uint8Array())
    symlinkSync('real', join(home, 'alias'))
    const paths = ['real/log', 'alias/log']
    const grow = (path: string) => updateDocument(storage, path, (current) => new Uint8Array((current?.bytes.length ?? 0) + 1))
    const grown = await Promise.all(Array.from({ length: 40 }, (_, index) => grow(paths[index % 2] ?? '')))
    for (const each of grown) expect(each).toMatchObject({ ok: true })
    expect(await readDocument(storage, 'real/log')).toMatchObject({ ok: true, value: { bytes: new Uint8Array(40) } })
  })
})
