import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import { inMemoryBackend } from './in-memory.ts'
import { inTransaction } from './in-transaction.ts'
import type { Documents } from './plan.ts'
import { STALE } from './state-read.ts'
import type { Cut, Plan, StorageBackend } from './storage-backend.ts'
import { Transaction } from './transaction.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (content: Uint8Array | undefined) => content && new TextDecoder().decode(content)

const PATHS = ['a', 'b', 'f/a', 'f/b', 'f/g/a', 'h/a']
const FOLDERS = ['f', 'h', 'f/g']
const NAMED = [...PATHS, 'k', 'k/a', 'k/b', 'k/g/a', 'f/', 'h/', 'k/']

const step = fc.oneof(
  fc.record({ put: fc.constantFrom(...PATHS), text: fc.constantFrom('x', 'yy'), executable: fc.option(fc.boolean(), { nil: undefined }) }),
  fc.record({ remove: fc.constantFrom(...PATHS) }),
  fc.record({ append: fc.constantFrom(...PATHS), text: fc.constantFrom('1', '22') }),
  fc.record({ from: fc.constantFrom(...FOLDERS, ...PATHS), to: fc.constantFrom('k', 'h', 'k/a', 'f/c') }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Everything that a plan can see. */
const seenIn = (cut: Cut) => ({
  documents: NAMED.filter((path) => !path.endsWith('/')).map((path) => {
    const document = cut.document(path)
    return document && [path, text(document.bytes), document.executable === true]
  }),
  listed: ['f', 'h', 'k'].map((folder) => cut.list(folder).map(({ path, size }) => [path, size])),
})

const planOf =
  (one: Step) =>
  (cut: Cut): Plan<unknown> => {
    const value = seenIn(cut)
    if ('remove' in one) return { put: { [one.remove]: null }, value }
    if ('append' in one) return { append: { [one.append]: bytes(one.text) }, value }
    if ('from' in one) return { move: [[one.from, one.to]], value }
    const { executable } = one
    return { put: { [one.put]: executable === undefined ? bytes(one.text) : { bytes: bytes(one.text), executable } }, value }
  }

const run = async (storage: StorageBackend, one: Step) => {
  try {
    const done = await storage.update([...NAMED, 'f/c'], planOf(one))
    return done.ok ? done.value : done.error.code
  } catch (cause) {
    // A wrong move is a mistake in the program.
    return (cause as Error).message
  }
}

const treeOf = (documents: Documents) =>
  [...documents].map(([path, document]) => [path, text(document.bytes), document.executable === true]).sort()

const move = (from: string, to: string): Step => ({ from, to }) as Step

it.each<[string, readonly Step[]]>([
  ['a folder and before it one within it', [move('f/g', 'k'), move('f', 'h/f')]],
  ['a folder to where another one was', [move('f', 'k'), move('h', 'f')]],
  ['a folder there and back', [move('f', 'k'), move('k', 'f')]],
  ['a folder there and back, beside another move', [move('f/g', 'k'), move('b', 'f/c'), move('k', 'f/g')]],
  ['a document twice, beside another move', [move('a', 'k'), move('b', 'f/c'), move('k', 'h/b')]],
  ['a document to where another one came from', [move('a', 'k'), move('b', 'f/c'), move('k', 'b')]],
  ['to where something was removed', [{ remove: 'h/a' } as Step, move('f', 'h')]],
])('a transaction moves %s, or refuses it when it is planned', async (_, steps) => {
  const documents: Documents = new Map(PATHS.map((path) => [path, { bytes: bytes(path) }]))
  const model: Documents = new Map(documents)
  const transaction = new Transaction(inMemoryBackend(documents))
  for (const one of steps) {
    const found = await run(transaction, one)
    if (found !== 'invalid') expect(found).toEqual(await run(inMemoryBackend(model), one))
  }
  expect(await transaction.commit(['log'], () => ({ value: 'done' }))).toEqual({ ok: true, value: 'done' })
  expect(treeOf(documents)).toEqual(treeOf(model))
})

it('a transaction does one update after the other', async () => {
  const documents: Documents = new Map([['count', { bytes: bytes('0') }]])
  const transaction = new Transaction(inMemoryBackend(documents))
  const addOne = () =>
    transaction.update(['count'], (cut) => ({ put: { count: bytes(String(Number(text(cut.document('count')?.bytes)) + 1)) }, value: 0 }))
  await Promise.all([addOne(), addOne(), addOne()])
  await transaction.commit([], () => ({ value: 0 }))
  expect(text(documents.get('count')?.bytes)).toBe('3')
})

it('a transaction reads nothing that is only appended to', async () => {
  const inner = inMemoryBackend(new Map([['log', { bytes: bytes('x'.repeat(100)) }]]))
  const read: string[] = []
  const noted: StorageBackend = {
    ...inner,
    read: (paths) => {
      read.push(...paths)
      return inner.read(paths)
    },
  }
  const transaction = new Transaction(noted)
  await transaction.update(['log', 'a'], (cut) => ({ append: { log: bytes('!') }, value: cut.document('a') }))
  await transaction.commit([], () => ({ value: 0 }))
  expect(read).toEqual(['a'])
})

it('a transaction shows and leaves what the same updates show and leave, and writes nothing before its end', async () => {
  let moves = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 3 }), fc.array(step, { minLength: 1, maxLength: 8 }), async (before, steps) => {
      const documents: Documents = new Map()
      const storage = inMemoryBackend(documents)
      for (const one of before) await run(storage, one)
      const model: Documents = new Map(documents)
      const plain = inMemoryBackend(model)
      const start = treeOf(documents)
      const transaction = new Transaction(storage)
      for (const one of steps) {
        const found = await run(transaction, one)
        if (typeof found === 'string' && found.startsWith('invalid')) continue
        const expected = await run(plain, one)
        expect(found).toEqual(expected)
        if ('from' in one && typeof expected === 'object') moves++
      }
      expect(treeOf(documents)).toEqual(start)
      const listed = await transaction.list('')
      const done = await transaction.commit(['log'], () => ({ append: { log: bytes('end') }, value: 'done' }))
      expect(done).toEqual({ ok: true, value: 'done' })
      model.set('log', { bytes: bytes('end') })
      expect(treeOf(documents)).toEqual(treeOf(model))
      expect(listed.ok && listed.value.map(({ path }) => path)).toEqual([...documents.keys()].filter((path) => path !== 'log').sort())
    }),
    { seed: 4711, numRuns: rounds(2000) },
  )
  expect(moves).toBeGreaterThan(10)
})

describe('a transaction', () => {
  const open = async () => {
    const documents: Documents = new Map([
      ['read', { bytes: bytes('r') }],
      ['folder/one', { bytes: bytes('1') }],
      ['log', { bytes: bytes('.') }],
    ])
    const storage = inMemoryBackend(documents)
    const transaction = new Transaction(storage)
    await transaction.update(['read', 'folder/', 'log', 'new'], (cut) => ({
      put: { new: bytes(text(cut.document('read')?.bytes) ?? '') },
      append: { log: bytes('+') },
      value: [cut.list('folder').length, cut.document('new')],
    }))
    const put = (path: string, content: string | null) =>
      storage.update([path], () => ({ put: { [path]: content === null ? null : bytes(content) }, value: undefined }))
    return { documents, transaction, put, commit: () => transaction.commit(['fence'], () => ({ value: 'done' })) }
  }

  it.each<[string, string | null]>([
    ['read', 'other'],
    ['read', null],
    ['folder/two', '2'],
    ['folder/one', null],
    ['new', 'theirs'],
  ])('writes nothing if %s has changed to %s', async (path, content) => {
    const { documents, put, commit } = await open()
    await put(path, content)
    const before = treeOf(documents)
    expect(await commit()).toEqual({ ok: true, value: STALE })
    expect(treeOf(documents)).toEqual(before)
  })

  it('is not stale for what it did not read, and appends behind what others appended', async () => {
    const { documents, put, commit } = await open()
    await put('another', 'x')
    await put('log', '..')
    expect(await commit()).toEqual({ ok: true, value: 'done' })
    expect([text(documents.get('log')?.bytes), text(documents.get('new')?.bytes)]).toEqual(['..+', 'r'])
  })

  it.each([
    [true, true, 'done'],
    [true, false, STALE],
    [false, true, STALE],
    [false, false, 'done'],
  ])('that could not read a document: %s, and cannot now: %s', async (before, now, expected) => {
    let isBroken = before
    const inner = inMemoryBackend(new Map([['a', { bytes: bytes('a') }]]))
    const broken = (cut: Cut): Cut => ({
      ...cut,
      document: (path) => {
        if (isBroken && path === 'a') throw new HermesError('io', 'broken')
        return cut.document(path)
      },
    })
    const transaction = new Transaction({
      read: async (paths) => {
        const cut = await inner.read(paths)
        return cut.ok ? ok(broken(cut.value)) : cut
      },
      update: (paths, plan, options) => inner.update(paths, (cut) => plan(broken(cut)), options),
    })
    const read = await transaction.read(['a'])
    const look = () => read.ok && read.value.document('a')
    if (before) expect(look).toThrow('broken')
    else look()
    isBroken = now
    expect(await transaction.commit([], () => ({ value: 'done' }))).toEqual({ ok: true, value: expected })
  })

  it('writes nothing if its last plan throws', async () => {
    const { documents, transaction } = await open()
    const lost = new Error('The lease is lost.')
    const done = transaction.commit(['fence'], () => {
      throw lost
    })
    await expect(done).rejects.toBe(lost)
    expect(documents.has('new')).toBe(false)
  })
})

describe('in transaction', () => {
  const text = (content: Uint8Array | undefined) => new TextDecoder().decode(content)

  const open = () => {
    const documents: Documents = new Map([['count', { bytes: bytes('0') }]])
    const inner = inMemoryBackend(documents)
    const updates: (readonly string[])[] = []
    const storage: StorageBackend = {
      ...inner,
      update: (paths, plan, options) => {
        updates.push(paths)
        return inner.update(paths, plan, options)
      },
    }
    const put = (to: StorageBackend, path: string, content: string) =>
      to.update([path], () => ({ put: { [path]: bytes(content) }, value: 0 }))
    const addOne = async (to: StorageBackend) => {
      const added = await to.update(['count'], (cut) => {
        const next = String(Number(text(cut.document('count')?.bytes)) + 1)
        return { put: { count: bytes(next) }, value: next }
      })
      await put(to, 'copy', added.ok ? added.value : '')
      return added
    }
    return { documents, inner, storage, updates, put, addOne }
  }

  it('writes in one update what the work has written in several', async () => {
    const { documents, storage, updates, addOne } = open()
    expect(await inTransaction(storage, addOne)).toEqual(ok('1'))
    expect([text(documents.get('count')?.bytes), text(documents.get('copy')?.bytes)]).toEqual(['1', '1'])
    expect(updates).toHaveLength(1)
  })

  it('does the work again on what others have written meanwhile, and gives up in the end', async () => {
    const { documents, inner, storage, put, addOne } = open()
    let runs = 0
    const disturbed = (times: number) =>
      inTransaction(storage, async (to) => {
        const added = await addOne(to)
        if (runs++ < times) await put(inner, 'count', String(runs * 10))
        return added
      })
    expect(await disturbed(2)).toEqual(ok('21'))
    expect(text(documents.get('copy')?.bytes)).toBe('21')
    runs = 0
    expect(await disturbed(99)).toMatchObject({ ok: false, error: { code: 'locked' } })
    expect(text(documents.get('copy')?.bytes)).toBe('21')
  })

  it('writes nothing if the work fails, if nothing was changed, or if the last plan refuses', async () => {
    const { documents, storage, updates, addOne } = open()
    const failed = err(new HermesError('io', 'broken'))
    expect(await inTransaction(storage, async (to) => ((await addOne(to)).ok ? failed : failed))).toBe(failed)
    expect(await inTransaction(storage, (to) => to.list(''))).toMatchObject({ ok: true })
    expect(updates).toEqual([])
    const refusal = new Error('The lease is lost.')
    const refused = inTransaction(storage, addOne, () => ({
      paths: ['lease'],
      plan: () => {
        throw refusal
      },
    }))
    await expect(refused).rejects.toBe(refusal)
    expect([...documents.keys()]).toEqual(['count'])
  })

  it('adds what the last plan writes, of what the work has resolved to', async () => {
    const { documents, storage, updates, addOne } = open()
    const done = await inTransaction(storage, addOne, (value) => ({
      paths: ['lease'],
      plan: () => ({ put: { lease: bytes(`over ${value}`) }, append: { copy: bytes('!') }, value: undefined }),
    }))
    expect(done).toEqual(ok('1'))
    expect(updates).toHaveLength(1)
    expect(['lease', 'copy'].map((path) => text(documents.get(path)?.bytes))).toEqual(['over 1', '1!'])
  })

  it('does the work again if others have put something in its way, or if it failed for what is no longer so', async () => {
    const { documents, inner, storage, put } = open()
    const move = (to: string) => async (over: StorageBackend) => {
      const seen = await over.update(['count', 'count/', to, `${to}/`, `${to}-2`, `${to}-2/`], (cut) => {
        const free = cut.document(to) === undefined ? to : `${to}-2`
        return { move: [['count', free]], value: free }
      })
      if (documents.size === 1) await put(inner, to, 'theirs')
      return seen
    }
    expect(await inTransaction(storage, move('kept'))).toEqual(ok('kept-2'))
    expect([...documents.keys()].sort()).toEqual(['kept', 'kept-2'])

    let runs = 0
    const failing = inTransaction(storage, async (over) => {
      const read = await over.read(['kept'])
      if (runs++ === 0) await put(inner, 'kept', 'changed')
      return read.ok && text(read.value.document('kept')?.bytes) === 'changed' ? ok('changed') : err(new HermesError('io', 'broken'))
    })
    expect(await failing).toEqual(ok('changed'))
  })
})
