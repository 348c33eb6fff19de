/** What an update reads while it takes its lock: all of it is let go of if anything is unusual, and so is the lock. */
import { mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err, ok, type Result } from '../../src/shared/result.ts'
import { lookEarly } from '../../src/storage/backends/file-system/early-look.ts'
import type { Home } from '../../src/storage/backends/file-system/home.ts'
import { replaceFileCalls } from './support/replaced-calls.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const PATH = 'notes/a'

/** What happens right before a path is opened, and right after a document was read. */
const hooks: { opening?: ((path: string) => void) | undefined; read?: (() => void) | undefined } = {}

replaceFileCalls((fs) => ({
  open: async (path: string, ...rest: [never, never]) => {
    hooks.opening?.(path)
    const handle = await fs.open(path, ...rest)
    const { read } = handle
    return Object.assign(handle, {
      read: async (buffer: Uint8Array) => {
        const count = await read(buffer)
        hooks.read?.()
        return count
      },
    })
  },
}))

let folder: string
let file: string

beforeEach(() => {
  Object.assign(hooks, { opening: undefined, read: undefined })
  folder = temporaryFolder()
  file = join(folder, PATH)
  mkdirSync(join(folder, 'notes'))
  writeFileSync(file, 'one')
})

/** A home whose locks are given out by the test, and the number of locks that are held. */
const createHome = (locking: Partial<Pick<Home, 'acquireNow' | 'acquireOne' | 'expect'>> = {}) => {
  const locks = { held: 0 }
  const take = () => {
    locks.held++
    return {
      isHeld: async () => true,
      release: async () => {
        locks.held--
      },
    }
  }
  const expectPlace: Home['expect'] = async (path) => ({ way: join(folder, path), file: join(folder, path) })
  const unused = () => {
    throw new Error('not expected')
  }
  const home = { expect: expectPlace, acquireNow: async () => take(), acquireOne: unused, ...locking } as Partial<Home> as Home
  return { home, locks, take }
}

const textOf = (looked: Awaited<ReturnType<typeof lookEarly>>): string | undefined => {
  const found = looked?.ok ? looked.value.found : undefined
  return typeof found === 'object' ? new TextDecoder().decode(found.document.bytes) : undefined
}

const openFiles = (): readonly string[] =>
  readdirSync('/proc/self/fd').flatMap((handle) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${handle}`)
      return path.startsWith(folder) ? [path] : []
    } catch {
      return []
    }
  })

const expectNothingOpen = () => expect.poll(openFiles, { interval: 1 }).toEqual([])

describe.runIf(process.platform === 'linux')('an early look', () => {
  it('holds the lock, the open folder and the open document, whose place needs no further look', async () => {
    const { home, locks } = createHome()
    const looked = await lookEarly(home, PATH)
    if (!looked?.ok) throw new Error('nothing seen')
    const { resolved, pin, letGo } = looked.value
    expect(textOf(looked)).toBe('one')
    expect(resolved).toEqual({ file, canonical: PATH, isLink: false, isStraight: true, isMissing: false, blocked: undefined })
    expect(await pin.use(async (pinned) => pinned.folder)).toBe(join(folder, 'notes'))
    expect(openFiles()).toHaveLength(2)
    letGo()
    await expectNothingOpen()
    expect(locks.held).toBe(1)
  })

  it.each<[string, () => void]>([
    ['the folder is missing', () => rmSync(join(folder, 'notes'), { recursive: true })],
    [
      'the document is a link',
      () => {
        rmSync(file)
        symlinkSync('b', file)
      },
    ],
    [
      'the folder cannot be opened',
      () => {
        hooks.opening = (path) => {
          if (path === join(folder, 'notes')) throw Object.assign(new Error('EIO'), { code: 'EIO' })
        }
      },
    ],
    [
      'the folder is moved while it looks',
      () => {
        hooks.read = () => renameSync(join(folder, 'notes'), join(folder, 'moved'))
      },
    ],
  ])('is none if %s, and leaves no lock and no open file', async (_, disturb) => {
    disturb()
    const { home, locks } = createHome()
    expect(await lookEarly(home, PATH)).toBeUndefined()
    expect(locks.held).toBe(0)
    await expectNothingOpen()
  })

  it('is none if the place of the lock or of the document is not known', async () => {
    const { home, locks } = createHome({ expect: async () => undefined })
    expect(await lookEarly(home, PATH)).toBeUndefined()
    const place = { way: join(folder, 'x.lock'), file: join(folder, 'x.lock') }
    const other = createHome({ expect: async (path) => (path === PATH ? undefined : place) })
    expect(await lookEarly(other.home, PATH)).toBeUndefined()
    expect([locks.held, other.locks.held]).toEqual([0, 0])
  })

  it('is none if the lock cannot be tried', async () => {
    const acquireOne = vi.fn()
    const { home } = createHome({ acquireNow: async () => Promise.reject(new Error('EIO')), acquireOne })
    expect(await lookEarly(home, PATH)).toBeUndefined()
    expect(acquireOne).not.toHaveBeenCalled()
    await expectNothingOpen()
  })

  it('is taken by at most 64 at a time, however many have ended without one', async () => {
    const { home, locks } = createHome()
    for (let index = 0; index < 70; index++) expect(await lookEarly(home, 'none/a')).toBeUndefined()
    const looks = await Promise.all(Array.from({ length: 64 }, () => lookEarly(home, PATH)))
    expect(looks.every((look) => look?.ok)).toBe(true)
    expect(await lookEarly(home, PATH)).toBeUndefined()
    expect(locks.held).toBe(64)
    for (const look of looks) if (look?.ok) look.value.letGo()
    for (let index = 0; index < 70; index++) {
      const look = await lookEarly(home, PATH)
      expect(look?.ok).toBe(true)
      if (look?.ok) look.value.letGo()
    }
    await expectNothingOpen()
  })
})

describe.runIf(process.platform === 'linux')('an early look that waits for its lock', () => {
  /** `wait`: what happens until the lock is free, or not. */
  const waitingHome = (wait: (onTaken: () => void) => Result<void> | Promise<Result<void>>) => {
    const created = createHome({
      acquireNow: async () => undefined,
      acquireOne: async (_, onTaken) => {
        const waited = await wait(onTaken)
        return waited.ok ? ok(created.take()) : waited
      },
    })
    return created
  }

  it.each([
    ['not said before', 0],
    ['said once', 1],
    ['said several times', 3],
  ])('reads the document as it is once the lock is taken, if that was %s, and closes all of it', async (_, times) => {
    const { home, locks } = waitingHome(async (onTaken) => {
      for (let time = 0; time < times; time++) {
        writeFileSync(file, `two ${time}`)
        onTaken()
        await expect.poll(openFiles, { interval: 1 }).toHaveLength(3)
      }
      if (times === 0) writeFileSync(file, 'two')
      return ok(undefined)
    })
    const looked = await lookEarly(home, PATH)
    expect(textOf(looked)).toBe(times === 0 ? 'two' : `two ${times - 1}`)
    expect(locks.held).toBe(1)
    await expect.poll(openFiles, { interval: 1 }).toHaveLength(3)
    if (looked?.ok) looked.value.letGo()
    await expectNothingOpen()
  })

  it('says that the lock stays taken, and lets go of all', async () => {
    const locked = err(new HermesError('locked', 'locked'))
    const { home, locks } = waitingHome(async (onTaken) => {
      onTaken()
      return locked
    })
    expect(await lookEarly(home, PATH)).toBe(locked)
    expect(locks.held).toBe(0)
    await expectNothingOpen()
  })

  it('is none, and lets go of all, if the lock or the document cannot be had', async () => {
    const broken = waitingHome(() => Promise.reject(new Error('EIO')))
    expect(await lookEarly(broken.home, PATH)).toBeUndefined()
    for (const times of [0, 1]) {
      const { home, locks } = waitingHome((onTaken) => {
        rmSync(file)
        symlinkSync('b', file)
        if (times === 1) onTaken()
        return ok(undefined)
      })
      expect(await lookEarly(home, PATH)).toBeUndefined()
      expect(locks.held).toBe(0)
      await expectNothingOpen()
      rmSync(file)
      writeFileSync(file, 'one')
    }
  })
})
