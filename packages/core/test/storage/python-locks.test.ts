/** Our updates and a live Python Hermes on one home exclude each other through the same flock. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { bundledProgram } from '../../../../scripts/support/bundled-program.ts'
import { firstOf, IS_LONG_RUN } from '../../../../scripts/support/rounds.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { moveDocuments, updateDocument } from '../../src/storage/one-document.ts'
import { startChild } from './support/child.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0
const why = hasPython ? '' : ' (skipped: python3 is not installed)'
const script = (name: string) => fileURLToPath(new URL(`./support/${name}`, import.meta.url))
const holder = bundledProgram(new URL('./support/hold-lock.ts', import.meta.url))
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

const documents = [
  ['memories/MEMORY.md', 'memories/MEMORY.md.lock'],
  ['memories/USER.md', 'memories/USER.md.lock'],
  ['skills/.usage.json', 'skills/.usage.json.lock'],
] as const

describe.runIf(hasPython)(`locks shared with Python Hermes${why}`, () => {
  it.each(firstOf(documents))('waits with %s until Python lets go of %s, and sees what Python wrote', async (path, lock) => {
    const home = temporaryFolder()
    mkdirSync(join(home, path, '..'), { recursive: true })
    const python = startChild('python3', [script('python-lock.py'), join(home, lock)])
    expect(await python.line()).toBe('open')
    python.say('hold')
    expect(await python.line()).toBe('held')

    const impatient = await updateDocument(fileSystemBackend(home, { timeoutMs: 600 }), path, () => new Uint8Array([1]))
    expect(impatient).toMatchObject({ ok: false, error: { code: 'locked' } })
    expect(!impatient.ok && impatient.error.message).toContain(join(home, lock))
    expect(!impatient.ok && impatient.error.message).toContain('timeoutMs')

    const patient = updateDocument(fileSystemBackend(home), path, (current) => new TextEncoder().encode(`${text(current?.bytes)} and ours`))
    python.say(`write ${join(home, path)} theirs`)
    expect(await python.line()).toBe('written')
    python.say('release')
    expect(await python.line()).toBe('released')
    expect((await patient).ok).toBe(true)
    expect(readFileSync(join(home, path), 'utf8')).toBe('theirs and ours')
  })

  it.each(firstOf(documents))('keeps Python out while an update of %s is in progress', async (path, lock) => {
    const home = temporaryFolder()
    const ours = startChild(process.execPath, [holder, JSON.stringify({ home, path, text: 'ours' })])
    expect(await ours.line()).toBe('held')
    const python = startChild('python3', [script('python-lock.py'), join(home, lock)])
    expect(await python.line()).toBe('open')
    python.say('try')
    expect(await python.line()).toBe('busy')
    ours.say('go')
    expect(await ours.line()).toBe('written')
    // The lock is kept a moment longer, for an update that may follow.
    const tryAgain = async () => {
      python.say('try')
      return python.line()
    }
    await expect.poll(tryAgain).toBe('held')
    expect(readFileSync(join(home, path), 'utf8')).toBe('ours')
  })

  if (IS_LONG_RUN)
    it('moves no folder away from under a lock that Python holds', async () => {
      const home = temporaryFolder()
      const storage = fileSystemBackend(home, { timeoutMs: 600 })
      await updateDocument(storage, 'memories/MEMORY.md', () => new Uint8Array([1]))
      const python = startChild('python3', [script('python-lock.py'), join(home, 'memories/MEMORY.md.lock')])
      await python.line()
      python.say('hold')
      await python.line()
      expect(await moveDocuments(storage, 'memories', 'old')).toMatchObject({ ok: false, error: { code: 'locked' } })
      python.say('release')
      await python.line()
      expect((await moveDocuments(storage, 'memories', 'old')).ok).toBe(true)
      expect(await storage.list('')).toMatchObject({ value: [{ path: 'old/MEMORY.md' }] })
    })
})
