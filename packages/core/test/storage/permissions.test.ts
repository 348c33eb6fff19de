/** A home that is open to other users is closed to them at the first write, unless it is shared on purpose. */

import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import type { FileSystemBackendOptions } from '../../src/storage/files/file-system-options.ts'
import { fs } from '../../src/storage/files/node-fs.ts'
import { updateDocument } from '../../src/storage/one-document.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const one = () => new Uint8Array([1])
const modeOf = (...path: readonly string[]): number => statSync(join(...path)).mode & 0o7777

const openHome = (mode = 0o755): string => {
  const home = join(temporaryFolder(), 'home')
  for (const folder of ['', 'memories', 'skills', 'skills/deploy', 'website']) mkdirSync(join(home, folder))
  for (const file of ['memories/MEMORY.md', 'skills/deploy/SKILL.md', 'website/index.html', 'config.yaml'])
    writeFileSync(join(home, file), 'x')
  for (const folder of ['memories', 'skills', 'skills/deploy', 'website']) chmodSync(join(home, folder), 0o777)
  for (const file of ['memories/MEMORY.md', 'website/index.html', 'config.yaml']) chmodSync(join(home, file), 0o644)
  chmodSync(join(home, 'skills/deploy/SKILL.md'), 0o755)
  chmodSync(home, mode)
  return home
}

const writeTo = async (home: string, options: FileSystemBackendOptions = {}): Promise<string[]> => {
  const warnings: string[] = []
  const storage = fileSystemBackend(home, { onWarning: (message) => warnings.push(message), ...options })
  for (const path of ['sessions/a.json', 'sessions/b.json']) expect(await updateDocument(storage, path, one)).toMatchObject({ ok: true })
  return warnings
}

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

describe.runIf(process.platform !== 'win32')('a home that was open to others', () => {
  it.each([0o755, 0o777])('with mode %o is closed, so that nobody gets to what is in it, and says so once', async (mode) => {
    const home = openHome(mode)
    const warnings = await writeTo(home)
    expect(modeOf(home)).toBe(0o700)
    expect(warnings).toHaveLength(1)
    for (const words of [home, "permissions: 'keep'"]) expect(warnings[0]).toContain(words)
    expect(await writeTo(home)).toEqual([])
    expect([modeOf(home, 'website'), modeOf(home, 'website/index.html')]).toEqual([0o777, 0o644])
  })

  it('stays as it is if it never was a home before', async () => {
    const home = temporaryFolder()
    chmodSync(home, 0o755)
    expect(await writeTo(home)).toEqual([])
    expect([modeOf(home), modeOf(home, 'sessions'), modeOf(home, 'sessions/a.json')]).toEqual([0o755, 0o700, 0o600])
  })

  it.each([
    ['by the option', 0o755, {}, { permissions: 'keep' }],
    ['by the group that its new files belong to', 0o2775, {}, {}],
    ['by the mode set for Python Hermes', 0o755, { HERMES_HOME_MODE: '0755' }, {}],
    ['by another setting of Python Hermes', 0o755, { HERMES_SHARED_HOME: '1' }, {}],
  ] as const)('stays open where it is shared %s', async (_, mode, environment, options) => {
    const home = openHome(mode)
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
    expect(await writeTo(home, options)).toEqual([])
    expect([modeOf(home), modeOf(home, 'memories'), modeOf(home, 'config.yaml')]).toEqual([mode, 0o777, 0o644])
  })

  it('is closed in spite of such settings if the host asks for it', async () => {
    vi.stubEnv('HERMES_HOME_MODE', '0755')
    const home = openHome(0o2775)
    expect(await writeTo(home, { permissions: 'private' })).toHaveLength(1)
    expect(modeOf(home) & 0o777).toBe(0o700)
  })

  it.each([
    ['EPERM', [expect.stringMatching(/could not be changed \(EPERM: as given\)/)]],
    ['ENOENT', []],
    ['ENOTDIR', []],
  ])('is written to where it cannot be closed: %s', async (code, warnings) => {
    vi.spyOn(fs.promises, 'chmod').mockRejectedValue(Object.assign(new Error(`${code}: as given`), { code }))
    expect(await writeTo(openHome())).toEqual(warnings)
  })
})
