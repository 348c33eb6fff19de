/** Moves that are asked for at once: one set of locks for all, an outcome for each. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { openFilesBelow } from '../../../../test/storage/support/open-files.ts'
import { temporaryFolder } from '../../../../test/storage/support/temporary-home.ts'
import { HermesError } from '../../../shared/hermes-error.ts'
import { err, type Result } from '../../../shared/result.ts'
import { type Home, openHome } from './home.ts'
import { moveTogether } from './move-together.ts'
import { DisplacedError } from './pinned-folder.ts'

let root: string
/** What was done to the home, in order. */
let done: string[]

beforeEach(() => {
  root = temporaryFolder()
  done = []
})

const put = (...paths: readonly string[]) => {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), path)
  }
}

const homeWith = (others: (home: Home) => Partial<Home> = () => ({})): Home => {
  const lock = { timeoutMs: 0, kind: 'auto', warn: () => undefined, random: () => 0, clock: () => 0 } as const
  const home = openHome(root, { linkedDocuments: [], permissions: 'keep', lock })
  const watched: Home = {
    ...home,
    prepare: async () => {
      done.push('prepare')
      await home.prepare()
    },
    acquire: async (...names) => {
      done.push('acquire')
      const held = await home.acquire(...names)
      if (!held.ok) return held
      const { release } = held.value
      return {
        ok: true,
        value: {
          ...held.value,
          release: async () => {
            await release()
            done.push('release')
          },
        },
      }
    },
    tend: () => done.push('tend'),
  }
  return { ...watched, ...others(watched) }
}

type Moves = readonly (readonly [from: string, to: string])[]

const outcomeOf = async (moving: Promise<Result<void>>): Promise<string> => {
  try {
    const moved = await moving
    done.push('told')
    return moved.ok ? 'ok' : moved.error.code
  } catch (error) {
    return `threw ${String(error)}`
  }
}

const moveAll = (home: Home, moves: Moves): Promise<string[]> => {
  const move = moveTogether(home)
  return Promise.all(moves.map(([from, to]) => outcomeOf(move(from, to))))
}

it('takes the locks once, tells the outcomes when they are released, and keeps no folder open', async () => {
  put('a', 'b')
  expect(
    await moveAll(homeWith(), [
      ['a', 'to/a'],
      ['b', 'to/b'],
    ]),
  ).toEqual(['ok', 'ok'])
  expect(done).toEqual(['prepare', 'prepare', 'acquire', 'release', 'tend', 'told', 'told'])
  expect(readdirSync(join(root, 'to'))).toEqual(['a', 'b'])
  if (process.platform === 'linux') await expect.poll(() => openFilesBelow(root), { interval: 1 }).toEqual([])
})

it('works again after a rest', async () => {
  put('a')
  const move = moveTogether(homeWith())
  for (const [from, to] of [
    ['a', 'b'],
    ['b', 'c'],
  ] as const)
    expect(await outcomeOf(move(from, to))).toBe('ok')
  expect(done.filter((what) => what === 'acquire')).toHaveLength(2)
  expect(existsSync(join(root, 'c'))).toBe(true)
})

it('carries out 64 at once', async () => {
  const names = Array.from({ length: 65 }, (_, index) => `${index}`)
  put(...names.map((name) => `from/${name}`))
  for (const [count, locks] of [
    [64, 1],
    [1, 1],
    [65, 2],
  ] as const) {
    const moves = names.slice(0, count).map((name) => [`from/${name}`, `to/${name}`] as const)
    done = []
    expect(new Set(await moveAll(homeWith(), moves))).toEqual(new Set(['ok']))
    expect(done.filter((what) => what === 'acquire')).toHaveLength(locks)
    expect(done.filter((what) => what === 'tend')).toHaveLength(locks)
    await moveAll(
      homeWith(),
      moves.map(([from, to]) => [to, from]),
    )
  }
})

it('takes no locks if none of the moves can be made', async () => {
  symlinkSync('..', join(root, 'out'))
  put('a')
  expect(
    await moveAll(homeWith(), [
      ['out/x', 'b'],
      ['a', 'out/x'],
    ]),
  ).toEqual(['invalid_path', 'invalid_path'])
  expect(done).not.toContain('acquire')
})

it('carries them out in the order they came, however long it takes to find each', async () => {
  put('a', 'b')
  let goOn = (): void => undefined
  const second = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const home = homeWith(({ resolve }) => ({
    resolve: async (path) => {
      const resolved = await resolve(path)
      if (path === 'a') await second
      else if (path === 'b') setImmediate(goOn)
      return resolved
    },
  }))
  expect(
    await moveAll(home, [
      ['a', 'to'],
      ['b', 'to'],
    ]),
  ).toEqual(['ok', 'occupied'])
  expect(readFileSync(join(root, 'to'), 'utf8')).toBe('a')
})

it('fails all that wait for locks that are taken, and the others for their own reason', async () => {
  put('a', 'b')
  symlinkSync('..', join(root, 'out'))
  const locked = err(new HermesError('locked', 'taken'))
  const home = homeWith(() => ({ acquire: async () => locked }))
  expect(
    await moveAll(home, [
      ['a', 'c'],
      ['out/x', 'd'],
      ['b', 'e'],
    ]),
  ).toEqual(['locked', 'invalid_path', 'locked'])
  expect([existsSync(join(root, 'a')), done.at(-1)]).toEqual([true, 'told'])
  expect(done).toContain('tend')
})

it('throws what the system says of the locks, for every move', async () => {
  put('a', 'b')
  const home = homeWith(() => ({ acquire: () => Promise.reject(new Error('no disk')) }))
  expect(
    await moveAll(home, [
      ['a', 'c'],
      ['b', 'd'],
    ]),
  ).toEqual(['threw Error: no disk', 'threw Error: no disk'])
  expect(done).toContain('tend')
})

it('throws what the system says of one path for that move alone', async () => {
  put('a')
  symlinkSync('circle', join(root, 'circle'))
  const [looped, moved] = await moveAll(homeWith(), [
    ['circle/x', 'b'],
    ['a', 'c'],
  ])
  expect([looped, moved]).toEqual([expect.stringMatching(/^threw Error: ELOOP/), 'ok'])
})

it('gives up a move whose links change while it waits for the locks', async () => {
  for (const [change, expected] of [
    [1, 'io'],
    [2, 'ok'],
  ] as const) {
    put('a')
    let asked = 0
    const home = homeWith(({ resolve }) => ({
      resolve: async (path) => {
        const resolved = await resolve(path)
        // Found once before the locks, and once with them.
        if (path !== 'a' || ++asked <= change || !resolved.ok) return resolved
        return { ok: true, value: { ...resolved.value, canonical: 'elsewhere' } }
      },
    }))
    expect(await moveAll(home, [['a', 'b']])).toEqual([expected])
    expect(existsSync(join(root, 'a'))).toBe(expected === 'io')
  }
})

it('gives up a move whose folder is displaced, before it has the locks or with them', async () => {
  for (const failing of [1, 2]) {
    put('a')
    let asked = 0
    const home = homeWith(({ resolve }) => ({
      resolve: (path) => (path === 'a' && ++asked === failing ? Promise.reject(new DisplacedError('moved')) : resolve(path)),
    }))
    expect(await moveAll(home, [['a', 'b']])).toEqual(['io'])
    expect(existsSync(join(root, 'a'))).toBe(true)
  }
})

it('reports a link that comes to lead out while it waits for the locks', async () => {
  put('a')
  let asked = 0
  const home = homeWith(({ resolve }) => ({
    resolve: async (path) => (path === 'a' && ++asked === 2 ? err(new HermesError('invalid_path', 'leads out')) : resolve(path)),
  }))
  expect(await moveAll(home, [['a', 'b']])).toEqual(['invalid_path'])
  expect(existsSync(join(root, 'a'))).toBe(true)
})

it('removes the folder of a person who has no document any more', async () => {
  put('homes/anna/a', 'homes/berta/a', 'homes/berta/b')
  expect(
    await moveAll(homeWith(), [
      ['homes/anna/a', 'a'],
      ['homes/berta/a', 'b'],
    ]),
  ).toEqual(['ok', 'ok'])
  expect(readdirSync(join(root, 'homes'))).toEqual(['berta'])
})
