/** The cleanup of a home, in the background: what it changes, what it leaves alone, and when it ends. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openFilesBelow } from '../../../../test/storage/support/open-files.ts'
import { temporaryFilesOnDisk, temporaryFolder } from '../../../../test/storage/support/temporary-home.ts'
import { CURRENT_PROCESS } from './process-identity.ts'
import { createTending, type TendOptions } from './tend-home.ts'

const LITTER = `.hermes-tmp-${2 ** 30}-${CURRENT_PROCESS.host}-a-1`

let home: string
let warnings: string[]

beforeEach(() => {
  home = join(temporaryFolder(), 'home')
  mkdirSync(home)
  warnings = []
})

const put = (path: string, mode = 0o644) => {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), 'x')
  chmodSync(join(home, path), mode)
}

const modeOf = (path: string): number => statSync(join(home, path)).mode & 0o777

const tending = (options: Partial<TendOptions> = {}) =>
  createTending({ root: home, permissions: 'private', warn: (message) => warnings.push(message), clock: () => 0, ...options })

/** Ends when the cleanup has found this file, in the folder that it reaches last. */
const untilSwept = async () => {
  await expect.poll(() => temporaryFilesOnDisk(home), { interval: 1 }).toEqual([])
}

/** More calls to the disk than the rest of a cleanup would make. */
const whileCallsPass = async () => {
  for (let call = 0; call < 100; call++) await stat(home)
}

describe.runIf(process.platform !== 'win32')('the cleanup', () => {
  it('closes a home at once, and its own files after the first write', async () => {
    put('skills/a/SKILL.md')
    put('config.yaml')
    put('website/skills/index.html')
    put(`website/skills/deep/${LITTER}`)
    chmodSync(home, 0o755)
    const { prepare, tend, close } = tending()
    await prepare()
    expect([modeOf('.'), modeOf('config.yaml')]).toEqual([0o700, 0o644])
    tend()
    await untilSwept()
    expect(['config.yaml', 'skills', 'skills/a', 'skills/a/SKILL.md'].map(modeOf)).toEqual([0o600, 0o700, 0o700, 0o600])
    // Of other names at the top, also below them, nothing is changed.
    expect(['website/skills', 'website/skills/index.html'].map(modeOf)).toEqual([0o755, 0o644])
    expect(warnings).toHaveLength(1)
    await close()
  })

  it('of a home that was closed already removes temporary files, and changes no permissions', async () => {
    put('skills/a/SKILL.md')
    put(`skills/a/${LITTER}`)
    chmodSync(home, 0o700)
    const { prepare, tend, close } = tending()
    await prepare()
    tend()
    await untilSwept()
    expect([modeOf('skills/a/SKILL.md'), warnings]).toEqual([0o644, []])
    await close()
  })

  it('follows no link', async () => {
    const outside = join(home, '../outside')
    mkdirSync(outside)
    writeFileSync(join(outside, LITTER), 'x')
    writeFileSync(join(outside, 'file'), 'x')
    chmodSync(join(outside, 'file'), 0o644)
    mkdirSync(join(home, 'skills'))
    symlinkSync(outside, join(home, 'skills/folder'))
    symlinkSync(join(outside, 'file'), join(home, 'skills/file'))
    put(`skills/z/deep/${LITTER}`)
    chmodSync(home, 0o755)
    const { prepare, tend, close } = tending()
    await prepare()
    tend()
    await untilSwept()
    await close()
    expect(temporaryFilesOnDisk(outside)).toEqual([LITTER])
    expect([statSync(outside).mode & 0o777, statSync(join(outside, 'file')).mode & 0o777]).toEqual([0o755, 0o644])
  })

  it('takes a home that is a link, and one that is missing', async () => {
    put(`notes/${LITTER}`)
    symlinkSync('home', join(home, '../link'))
    const linked = tending({ root: join(home, '../link') })
    await linked.prepare()
    linked.tend()
    await untilSwept()
    await linked.close()
    const missing = tending({ root: join(home, 'none') })
    await missing.prepare()
    missing.tend()
    await missing.close()
  })

  it('leaves pipes as they are, and keeps nothing open', async () => {
    mkdirSync(join(home, 'skills'))
    if (spawnSync('mkfifo', [join(home, 'skills/pipe')]).status !== 0) return
    chmodSync(join(home, 'skills/pipe'), 0o666)
    put('skills/a')
    put(`skills/z/deep/${LITTER}`)
    chmodSync(home, 0o755)
    const { prepare, tend, close } = tending()
    await prepare()
    tend()
    await untilSwept()
    await close()
    expect([modeOf('skills/pipe'), modeOf('skills/a')]).toEqual([0o666, 0o600])
    if (process.platform === 'linux') await expect.poll(() => openFilesBelow(home), { interval: 1 }).toEqual([])
  })

  it('goes through as many folders as it may, the nearest first', async () => {
    for (const folder of ['', 'a/', 'a/b/', 'a/b/c/']) put(`${folder}${LITTER}`)
    const { prepare, tend, close } = tending({ maxFolders: 2 })
    await prepare()
    tend()
    await expect.poll(() => temporaryFilesOnDisk(home), { interval: 1 }).toEqual([`a/b/${LITTER}`, `a/b/c/${LITTER}`])
    await whileCallsPass()
    expect(temporaryFilesOnDisk(home)).toHaveLength(2)
    await close()
  })

  it('runs once, and not before the home is prepared', async () => {
    put(`notes/${LITTER}`)
    const { prepare, tend, close } = tending()
    tend()
    expect(await prepare()).toBeUndefined()
    tend()
    await untilSwept()
    put(`notes/${LITTER}`)
    tend()
    await whileCallsPass()
    await close()
    expect(temporaryFilesOnDisk(home)).toEqual([`notes/${LITTER}`])
    const closed = tending()
    await closed.prepare()
    await closed.close()
    closed.tend()
    await closed.close()
    expect(temporaryFilesOnDisk(home)).toEqual([`notes/${LITTER}`])
  })

  it('looks at the home once, however many writes begin', async () => {
    mkdirSync(join(home, 'skills'))
    chmodSync(home, 0o755)
    const { prepare } = tending()
    await Promise.all([prepare(), prepare()])
    chmodSync(home, 0o755)
    await prepare()
    expect([modeOf('.'), warnings.length]).toEqual([0o755, 1])
  })

  it.each([
    ['not before ten seconds', 0, 10_000, 0],
    ['after them', 0, 10_001, 20],
    ['in the middle of a folder too', 3, 10_001, 17],
  ])('ends %s', async (_, inTime, later, left) => {
    for (let index = 0; index < 20; index++) put(`${LITTER}${index}`)
    let asked = 0
    // The start, the folder, and then each entry.
    const { prepare, tend, close } = tending({ clock: () => (++asked <= (inTime > 0 ? 2 + inTime : 1) ? 0 : later) })
    await prepare()
    tend()
    await expect.poll(() => temporaryFilesOnDisk(home), { interval: 1 }).toHaveLength(left)
    await whileCallsPass()
    expect(temporaryFilesOnDisk(home)).toHaveLength(left)
    await close()
  })

  it('stops soon when the home is closed, and leaves the rest for the next time', async () => {
    for (let index = 0; index < 50; index++) put(`${index}/${LITTER}`)
    const { prepare, tend, close } = tending()
    await prepare()
    tend()
    await close()
    const left = temporaryFilesOnDisk(home).length
    expect(left).toBeGreaterThan(0)
    await whileCallsPass()
    expect(temporaryFilesOnDisk(home)).toHaveLength(left)
  })

  it('goes on where a folder cannot be entered, and after an entry that is gone', async () => {
    put('skills/a/SKILL.md')
    put(`z/deep/${LITTER}`)
    mkdirSync(join(home, 'memories'))
    chmodSync(join(home, 'memories'), 0)
    chmodSync(home, 0o755)
    const { prepare, tend, close } = tending()
    await prepare()
    tend()
    // An ordinary user cannot look through the whole home here.
    await expect.poll(() => temporaryFilesOnDisk(join(home, 'z')), { interval: 1 }).toEqual([])
    await close()
    expect([modeOf('memories'), modeOf('skills/a/SKILL.md')]).toEqual([0, 0o600])
    chmodSync(join(home, 'memories'), 0o700)
  })

  it('fails before the write if the warning does, which is no error of the system', async () => {
    mkdirSync(join(home, 'skills'))
    chmodSync(home, 0o755)
    const failing = tending({
      warn: () => {
        throw new TypeError('cannot warn')
      },
    })
    await expect(failing.prepare()).rejects.toThrow('cannot warn')
  })
})
