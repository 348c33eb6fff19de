/** Which homes are closed to other users, and what of them. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { onPlatform } from '../../../../test/storage/support/on-platform.ts'
import { openFilesBelow } from '../../../../test/storage/support/open-files.ts'
import { open } from './file-calls.ts'
import { closeHome, closeToOthers, isOwnEntry, isShared } from './private-modes.ts'

let folder: string

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-modes-')))
  // Tests run where Python Hermes may be set up.
  for (const name of ['HERMES_HOME_MODE', 'HERMES_SKIP_CHMOD', 'HERMES_SHARED_HOME', 'HERMES_MANAGED']) vi.stubEnv(name, undefined)
})

afterEach(() => {
  vi.unstubAllEnvs()
  // An ordinary user cannot empty a folder without its write bit.
  if (existsSync(folder)) chmodSync(folder, 0o700)
  rmSync(folder, { recursive: true, force: true })
})

const modeOf = (path: string): number => statSync(path).mode & 0o7777

it.each(['memories', 'skills', 'sessions', 'journal', 'pending', 'homes', 'owners', 'logs', 'curator', '.locks', 'config.yaml'])(
  'knows %s as an entry of the library',
  (name) => {
    expect(isOwnEntry(name)).toBe(true)
    expect(isOwnEntry(`${name}2`)).toBe(false)
  },
)

describe('a folder is shared', () => {
  it.each<[string, number, Record<string, string>, boolean]>([
    ['not by bits for others alone', 0o777, {}, false],
    ['by its set-group-id bit', 0o2700, {}, true],
    ['by its sticky bit', 0o1700, {}, true],
    ['not by the set-user-id bit', 0o4700, {}, false],
    ['if Python Hermes changes no permissions', 0o700, { HERMES_SKIP_CHMOD: '1' }, true],
    ['if Python Hermes shares its home', 0o700, { HERMES_SHARED_HOME: 'yes' }, true],
    ['if Python Hermes is managed', 0o700, { HERMES_MANAGED: 'true' }, true],
    ['not by an empty variable', 0o700, { HERMES_SKIP_CHMOD: '', HERMES_SHARED_HOME: '', HERMES_MANAGED: '', HERMES_HOME_MODE: '' }, false],
    ['not by a mode for the owner alone', 0o700, { HERMES_HOME_MODE: '700' }, false],
    ['not by that mode with zeros in front', 0o700, { HERMES_HOME_MODE: '00700' }, false],
    ['by a mode for the group', 0o700, { HERMES_HOME_MODE: '0750' }, true],
    ['by a mode that only begins with 700', 0o700, { HERMES_HOME_MODE: '7000' }, true],
    ['by a mode that only ends with 700', 0o700, { HERMES_HOME_MODE: '2700' }, true],
  ])('%s', (_, mode, environment, shared) => {
    expect(isShared(mode, environment)).toBe(shared)
  })
})

describe.runIf(process.platform !== 'win32')('closing an entry to others', () => {
  it.each([
    [0o755, 0o700],
    [0o777, 0o700],
    [0o444, 0o400],
    [0o710, 0o700],
    // Closed already: what else the owner has set stays.
    [0o1700, 0o1700],
  ])('turns mode %o into %o', async (before, after) => {
    chmodSync(folder, before)
    const handle = await open(folder, 'r')
    await closeToOthers(handle)
    await handle.close()
    expect(modeOf(folder)).toBe(after)
  })
})

describe.runIf(process.platform !== 'win32')('closing a home', () => {
  const close = async (permissions?: 'private' | 'keep') => {
    const warnings: string[] = []
    const closed = await closeHome(folder, { permissions, warn: (message) => warnings.push(message) })
    return { closed, warnings, mode: modeOf(folder) }
  }

  it.each([
    ['private', 0o755, 0o700],
    [undefined, 0o705, 0o700],
    [undefined, 0o570, 0o500],
    ['private', 0o2777, 0o700],
  ] as const)('with permissions %s and mode %o leaves mode %o, and tells where', async (permissions, before, after) => {
    mkdirSync(join(folder, 'memories'))
    chmodSync(folder, before)
    expect(await close(permissions)).toEqual({ closed: true, warnings: [expect.stringContaining(folder)], mode: after })
  })

  it.each([
    ['keep', 0o755],
    ['keep', 0o2775],
    ['private', 0o700],
    [undefined, 0o700],
    [undefined, 0o2775],
    [undefined, 0o1777],
  ] as const)('with permissions %s leaves mode %o as it is', async (permissions, mode) => {
    mkdirSync(join(folder, 'memories'))
    chmodSync(folder, mode)
    expect(await close(permissions)).toEqual({ closed: false, warnings: [], mode })
  })

  it('leaves a folder as it is that holds nothing of the library, and the folder of the user', async () => {
    chmodSync(folder, 0o755)
    mkdirSync(join(folder, 'website'))
    expect(await close('private')).toEqual({ closed: false, warnings: [], mode: 0o755 })
    mkdirSync(join(folder, 'skills'))
    vi.stubEnv('HOME', folder)
    expect(await close('private')).toEqual({ closed: false, warnings: [], mode: 0o755 })
    vi.stubEnv('HOME', join(folder, 'elsewhere'))
    expect(await close('private')).toMatchObject({ closed: true, mode: 0o700 })
  })

  it.runIf(process.platform === 'linux')('keeps no file open', async () => {
    mkdirSync(join(folder, 'memories'))
    chmodSync(folder, 0o755)
    await close()
    await expect.poll(() => openFilesBelow(folder), { interval: 1 }).toEqual([])
  })

  it.runIf(process.getuid?.() === 0)('warns if the home belongs to someone else, and says why it stays open', async () => {
    mkdirSync(join(folder, 'memories'))
    chmodSync(folder, 0o755)
    try {
      process.seteuid?.(65_534)
      expect(await close()).toEqual({ closed: false, warnings: [expect.stringMatching(/EPERM.*chmod 700/)], mode: 0o755 })
    } finally {
      process.seteuid?.(0)
    }
  })

  it('changes nothing on Windows, which has other permissions', async () => {
    mkdirSync(join(folder, 'memories'))
    chmodSync(folder, 0o755)
    await onPlatform('win32', async () => expect(await close('private')).toEqual({ closed: false, warnings: [], mode: 0o755 }))
  })

  it('fails if the home is missing, for the caller to decide', async () => {
    rmSync(folder, { recursive: true })
    await expect(close()).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('reports an error of the warning itself, which is not one of the system', async () => {
    mkdirSync(join(folder, 'memories'))
    chmodSync(folder, 0o755)
    let warned = 0
    const warn = () => {
      if (++warned === 1) throw new TypeError('cannot warn')
    }
    await expect(closeHome(folder, { permissions: 'private', warn })).rejects.toThrow('cannot warn')
  })
})
