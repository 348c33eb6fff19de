/** Reading, updating and removing one document. */
import { describe, expect, it } from 'vitest'
import { UNCHANGED } from '../../storage/storage-backend.ts'
import { unwrap } from './entry-log.ts'
import type { CreateStorageHarness, StorageCapabilities } from './storage-harness.ts'
import { bytes, pathsIn, textAt, withTree, write } from './with-tree.ts'

const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index)

export const documentPromises = (create: CreateStorageHarness, { extent }: Required<StorageCapabilities>): void => {
  describe('documents', () => {
    it('reads nothing if nothing was written', () =>
      withTree(create, async ({ storage }) => {
        expect(unwrap(await storage.read('notes/missing.md'))).toBeUndefined()
      }))

    it('reads back what was written, through another handle too', () =>
      withTree(create, async ({ storage, open }) => {
        await write(storage, 'notes/a.md', 'first')
        expect(await textAt(storage, 'notes/a.md')).toBe('first')
        expect(await textAt(await open(), 'notes/a.md')).toBe('first')
      }))

    it('hands the current document to the change and resolves to the one afterwards', () =>
      withTree(create, async ({ storage }) => {
        const seen: unknown[] = []
        await storage.update('a', (current) => {
          seen[0] = current
          return bytes('one')
        })
        const after = unwrap(
          await storage.update('a', (current) => {
            seen[1] = current && new TextDecoder().decode(current.bytes)
            return bytes('two')
          }),
        )
        expect(seen).toEqual([undefined, 'one'])
        expect(after).toEqual(unwrap(await storage.read('a')))
        expect(new TextDecoder().decode(after?.bytes)).toBe('two')
      }))

    it('keeps every byte, an empty document, and a megabyte', () =>
      withTree(create, async ({ storage }) => {
        const large = Uint8Array.from({ length: 1024 * 1024 }, (_, index) => (index * 31) % 256)
        for (const [path, content] of [
          ['all', everyByte],
          ['empty', new Uint8Array()],
          ['large', large],
        ] as const) {
          unwrap(await storage.update(path, () => content))
          const document = unwrap(await storage.read(path))
          expect(document?.bytes.length).toBe(content.length)
          expect(content.every((byte, index) => document?.bytes[index] === byte)).toBe(true)
        }
      }))

    if (extent === 'wiring') return

    it('keeps what is executable so, through a rewrite, a move and another handle, until a content says otherwise', () =>
      withTree(create, async ({ storage, open }) => {
        const isExecutable = async (path: string) => unwrap(await (await open()).read(path))?.executable ?? false
        const after = unwrap(await storage.update('scripts/run', () => ({ bytes: bytes('run'), executable: true })))
        expect(after?.executable).toBe(true)
        expect(await isExecutable('scripts/run')).toBe(true)
        await write(storage, 'scripts/run', 'run better')
        await storage.update('scripts/run', () => UNCHANGED)
        expect(await isExecutable('scripts/run')).toBe(true)
        unwrap(await storage.move('scripts', 'moved'))
        expect(await isExecutable('moved/run')).toBe(true)
        unwrap(await storage.update('moved/run', (current) => ({ bytes: current?.bytes ?? bytes(''), executable: false })))
        expect(await isExecutable('moved/run')).toBe(false)
        await write(storage, 'moved/new', 'text')
        expect(await isExecutable('moved/new')).toBe(false)
      }))

    it('shows a write that need not be durable to other handles, and lets none of several at once get lost', () =>
      withTree(create, async ({ storage, open }) => {
        const other = await open()
        const sooner = { durable: false }
        const begin = (handle: typeof storage, text: string) =>
          handle.update('sessions/a', (current) => (current ? UNCHANGED : bytes(text)), sooner)
        const begun = await Promise.all([begin(storage, 'one'), begin(other, 'two')])
        const [first] = begun.map((each) => new TextDecoder().decode(unwrap(each)?.bytes))
        expect(await textAt(storage, 'sessions/a')).toBe(first)
        expect(await textAt(other, 'sessions/a')).toBe(first)
        const append = (handle: typeof storage, text: string, options?: { durable: boolean }) =>
          handle.update('log', (current) => bytes(`${new TextDecoder().decode(current?.bytes)}${text}`), options)
        for (const each of await Promise.all([append(storage, 'a', sooner), append(other, 'b'), append(other, 'c', sooner)])) unwrap(each)
        expect([...((await textAt(await open(), 'log')) ?? '')].sort().join('')).toBe('abc')
        unwrap(await other.update('log', () => undefined, sooner))
        expect(unwrap(await storage.read('log'))).toBeUndefined()
      }))

    it('creates a document whose name its creator made up, and overwrites none that is there all the same', () =>
      withTree(create, async ({ storage, open }) => {
        const made = { newName: true }
        const begin = (handle: typeof storage, path: string, text: string) =>
          handle.update(path, (current) => (current ? UNCHANGED : bytes(text)), made)
        unwrap(await begin(storage, 'day/a', 'one'))
        unwrap(await begin(storage, 'day/b', 'two'))
        expect(await textAt(await open(), 'day/b')).toBe('two')
        expect(new TextDecoder().decode(unwrap(await begin(await open(), 'day/a', 'three'))?.bytes)).toBe('one')
        expect(await textAt(storage, 'day/a')).toBe('one')
        expect(unwrap(await storage.update('day/a', () => undefined, made))).toBeUndefined()
        expect(await pathsIn(storage, '')).toEqual(['day/b'])
      }))

    it('shares no bytes with its callers', () =>
      withTree(create, async ({ storage }) => {
        // A Buffer shares its bytes with its slices.
        const mine = typeof Buffer === 'undefined' ? bytes('safe') : Buffer.from('safe')
        const after = unwrap(await storage.update('a', () => mine))
        mine.fill(0)
        expect(new TextDecoder().decode(after?.bytes)).toBe('safe')
        after?.bytes.fill(0)
        unwrap(await storage.read('a'))?.bytes.fill(0)
        await storage.update('a', (current) => {
          current?.bytes.fill(0)
          return UNCHANGED
        })
        expect(await textAt(storage, 'a')).toBe('safe')
      }))

    it('removes a document, and removing what is missing is fine', () =>
      withTree(create, async ({ storage }) => {
        await write(storage, 'a/b', 'x')
        expect(unwrap(await storage.update('a/b', () => undefined))).toBeUndefined()
        expect(unwrap(await storage.read('a/b'))).toBeUndefined()
        expect(await pathsIn(storage, '')).toEqual([])
        expect(unwrap(await storage.update('a/b', () => undefined))).toBeUndefined()
      }))

    it('leaves everything as it is for UNCHANGED, and resolves to it', () =>
      withTree(create, async ({ storage }) => {
        expect(unwrap(await storage.update('a', () => UNCHANGED))).toBeUndefined()
        expect(await pathsIn(storage, '')).toEqual([])
        await write(storage, 'a', 'kept')
        const before = unwrap(await storage.read('a'))
        expect(unwrap(await storage.update('a', () => UNCHANGED))).toEqual(before)
        expect(unwrap(await storage.read('a'))).toEqual(before)
      }))

    it('gives different bytes a different version', () =>
      withTree(create, async ({ storage }) => {
        const versions = new Set<string | undefined>()
        for (const text of ['one', 'two', '', 'one more', 'three']) {
          versions.add(unwrap(await storage.update('a', () => bytes(text)))?.version)
        }
        expect(versions.size).toBe(5)
        expect(versions).not.toContain(undefined)
      }))

    it('rejects with what a change throws and writes nothing', () =>
      withTree(create, async ({ storage }) => {
        await write(storage, 'a', 'before')
        const mistake = Object.assign(new Error('a mistake of the caller'), { code: 'ENOSPC' })
        const fail = () => {
          throw mistake
        }
        await expect(storage.update('a', fail)).rejects.toBe(mistake)
        await expect(storage.update('new', fail)).rejects.toBe(mistake)
        expect(await textAt(storage, 'a')).toBe('before')
        expect(await pathsIn(storage, '')).toEqual(['a'])
        await write(storage, 'a', 'after')
      }))

    it('rejects an answer that is not bytes with a TypeError that says so, and writes nothing', () =>
      withTree(create, async ({ storage }) => {
        await write(storage, 'a', 'before')
        const rejected = () => Promise.reject(new Error('an answer that nobody may wait for'))
        const late = () => Promise.resolve(bytes('late'))
        for (const change of [() => 'text', () => null, () => [1, 2], () => new Uint16Array(2), () => ({}), late, rejected]) {
          // JavaScript callers may return anything.
          const update: Promise<unknown> = Reflect.apply(storage.update, storage, ['a', change])
          const failure = await update.catch((error: unknown) => error)
          expect(failure).toBeInstanceOf(TypeError)
          expect(String(failure)).toContain('Uint8Array')
        }
        expect(await textAt(storage, 'a')).toBe('before')
      }))
  })
}
