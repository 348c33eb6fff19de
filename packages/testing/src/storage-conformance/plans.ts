/** What a plan may do, and what is refused. */

import { HermesError } from '@hermes/core'
import type { Plan } from '@hermes/core/storage'
import { describe, expect, it } from 'vitest'
import { unwrap } from '../suite.ts'
import { sameAsInMemory } from './random-updates.ts'
import { bytes, type CreateStorageHarness, expectWrong, type StorageCapabilities, textIn, type World, withStorage } from './storage-test.ts'

const codeOf = async (world: World, paths: readonly string[], plan: () => Plan<unknown>): Promise<string> => {
  const before = await world.texts()
  const result = await world.storage.update(paths, plan)
  expect(await world.texts()).toEqual(before)
  return result.ok ? 'ok' : result.error.code
}

export const planCases = (create: CreateStorageHarness, { extent, updates }: Required<StorageCapabilities>): void => {
  const test = (name: string, run: (world: World) => Promise<void>) => it(name, withStorage(create, run))

  describe('a plan', () => {
    test('sees the named documents and puts, appends to, moves and removes them in one step', async (world) => {
      await world.put({ a: 'one', b: 'two', 'skills/x/SKILL.md': 'x', 'skills/y/SKILL.md': 'y', gone: 'away' })
      const result = await world.storage.update(['a', 'b', 'gone', 'none', 'new', 'skills/', 'archive/'], (cut) => ({
        put: { a: bytes(`${textIn(cut, 'a')} more`), gone: null, 'skills/z': bytes('z') },
        append: { b: bytes(' more'), new: bytes('new') },
        move: [['skills/x', 'archive/x']],
        value: [textIn(cut, 'none'), cut.list('skills/').map(({ path }) => path), cut.list('skills/y').length],
      }))
      expect(unwrap(result)).toEqual([undefined, ['skills/x/SKILL.md', 'skills/y/SKILL.md'], 1])
      expect(await world.texts()).toEqual({
        a: 'one more',
        b: 'two more',
        new: 'new',
        'archive/x/SKILL.md': 'x',
        'skills/y/SKILL.md': 'y',
        'skills/z': 'z',
      })
    })

    if (extent === 'wiring') return

    it.each([1, 2, 3, 4])('of a random kind does what it does in memory, or fails for the same reason (seed %d)', (seed) =>
      withStorage(create, async ({ storage }) => {
        const outcomes = await sameAsInMemory(storage, seed, 2 * updates)
        expect(outcomes.some((outcome) => typeof outcome === 'number')).toBe(true)
      })(),
    )

    test('puts one folder in the place of another', async (world) => {
      await world.put({ 'skills/x/SKILL.md': 'old', 'kept/x/SKILL.md': 'new' })
      const move = [
        ['skills/x', 'kept/old'],
        ['kept/x', 'skills/x'],
      ] as const
      unwrap(await world.storage.update(['skills/', 'kept/'], () => ({ move, value: 0 })))
      expect(await world.texts()).toEqual({ 'skills/x/SKILL.md': 'new', 'kept/old/SKILL.md': 'old' })
    })

    test('that changes nothing writes nothing', async (world) => {
      await world.put({ a: 'one' })
      const before = unwrap(await world.storage.list(''))
      expect(unwrap(await world.storage.update(['a'], (cut) => ({ value: textIn(cut, 'a') })))).toBe('one')
      expect(unwrap(await world.storage.list(''))).toEqual(before)
    })

    test('loses nothing where others put and append to one document at once', async (world) => {
      await world.put({ log: 'one\n' })
      const append = (text: string) => world.storage.update(['log'], () => ({ append: { log: bytes(text) }, value: 0 }))
      const put = (text: string) => world.storage.update(['log'], (cut) => ({ put: { log: bytes(textIn(cut, 'log') + text) }, value: 0 }))
      await Promise.all([append('two\n'), put('three\n'), append('four\n'), put('five\n'), append('six\n')])
      const lines = (await world.texts())['log']?.trimEnd().split('\n')
      expect(lines?.toSorted()).toEqual(['five', 'four', 'one', 'six', 'three', 'two'])
      expect(lines?.[0]).toBe('one')
    })

    test('keeps whether a document is executable, unless it says otherwise', async (world) => {
      const executable = async () => unwrap(await world.storage.read(['run'])).document('run')?.executable ?? false
      const put = async (content: Uint8Array | { bytes: Uint8Array; executable?: boolean }) =>
        unwrap(await world.storage.update(['run'], () => ({ put: { run: content }, value: 0 })))
      await put(bytes('plain'))
      expect(await executable()).toBe(false)
      await put({ bytes: bytes('program'), executable: true })
      expect(await executable()).toBe(true)
      await put(bytes('another'))
      unwrap(await world.storage.update(['run'], () => ({ append: { run: bytes(' more') }, value: 0 })))
      expect(await executable()).toBe(true)
      await put({ bytes: bytes('text') })
      expect(await executable()).toBe(false)
    })

    test('gets documents that it may change, and its own may be changed afterwards', async (world) => {
      const mine = bytes('mine')
      unwrap(await world.storage.update(['a'], () => ({ put: { a: mine }, append: {}, value: 0 })))
      mine.fill(0)
      unwrap(await world.storage.update(['a'], (cut) => ({ value: cut.document('a')?.bytes.fill(1) })))
      expect(await world.texts()).toEqual({ a: 'mine' })
    })

    test('that forgets does what any other does', async (world) => {
      await world.put({ a: 'secret', b: 'secret too', 'log/day': 'secret' })
      const plan = () => ({ put: { a: bytes('kept'), b: null, 'log/day': bytes('') }, value: 'gone' })
      expect(unwrap(await world.storage.update(['a', 'b', 'log/day'], plan, { forget: true }))).toBe('gone')
      expect(await world.texts()).toEqual({ a: 'kept', 'log/day': '' })
    })

    test('that throws is thrown, and nothing is written', async (world) => {
      await world.put({ a: 'one' })
      const fault = new RangeError('No.')
      const thrown = world.storage.update(['a'], () => {
        throw fault
      })
      await expect(thrown).rejects.toBe(fault)
      expect(await world.texts()).toEqual({ a: 'one' })
    })

    test('that throws does not disturb those that run with it', async (world) => {
      const plans = Array.from({ length: 9 }, (_, index) =>
        world.storage.update(['list'], (cut) => {
          if (index % 3 === 1) throw new RangeError(`${index}`)
          return { put: { list: bytes(`${textIn(cut, 'list') ?? ''}${index}`) }, value: index }
        }),
      )
      const settled = await Promise.allSettled(plans)
      expect(settled.map(({ status }) => status === 'rejected')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8].map((index) => index % 3 === 1))
      expect([...((await world.texts())['list'] ?? '')].toSorted().join('')).toBe('023568')
    })
  })

  if (extent === 'wiring') return

  describe('a plan is a mistake in the program, and nothing changes, if it', () => {
    const wrong: readonly (readonly [string, () => unknown, RegExp])[] = [
      ['returns a promise', () => Promise.resolve({ value: 1 }), /promise/],
      ['returns a promise that rejects', () => Promise.reject(new Error('late')), /promise/],
      ['returns nothing', () => undefined, /A plan is an object/],
      ['puts text', () => ({ put: { a: 'text' } }), /Uint8Array/],
      ['puts nothing', () => ({ put: { a: undefined } }), /Uint8Array/],
      ['appends text', () => ({ append: { a: 'text' } }), /Append a Uint8Array/],
      ['puts and appends', () => ({ put: { a: bytes('1') }, append: { a: bytes('2') } }), /both puts 'a' and appends/],
      ['puts what was not named', () => ({ put: { b: bytes('1') } }), /did not name/],
      ['appends to what was not named', () => ({ append: { b: bytes('1') } }), /did not name/],
      ['moves what was not named', () => ({ move: [['b', 'folder/b']] }), /did not name/],
      ['moves to what was not named', () => ({ move: [['a', 'b']] }), /did not name/],
      ['moves a folder into itself', () => ({ move: [['folder', 'folder/inner']] }), /into itself/],
      ['moves a document onto itself', () => ({ move: [['a', 'a']] }), /into itself/],
      [
        'moves again what it has moved',
        () => ({
          move: [
            ['a', 'folder/a'],
            ['folder/a', 'folder/b'],
          ],
        }),
        /earlier move/,
      ],
      [
        'moves a folder with what it has moved into it',
        () => ({
          move: [
            ['a', 'folder/in/a'],
            ['folder/in', 'folder/out'],
          ],
        }),
        /earlier move/,
      ],
      ['moves in another form', () => ({ move: [{ from: 'a', to: 'b' }] }), /\[from, to\]/],
      ['puts a list', () => ({ put: [bytes('1')] }), /object with a path/],
      ['leaves its folder', () => ({ put: { 'folder/../b': bytes('1') } }), /leaves its folder/],
    ]
    it.each(wrong)('%s', async (_, plan, message) => {
      await withStorage(create, async (world) => {
        await world.put({ a: 'one', 'folder/x': 'x' })
        await expectWrong(world, ['a', 'folder/'], plan as () => Plan<unknown>, message)
      })()
    })
  })

  describe('an update fails, and nothing changes, if', () => {
    const set: Readonly<Record<string, string>> = { a: 'one', 'folder/x': 'x', 'other/y': 'y' }
    const failing: readonly (readonly [string, string, readonly string[], Plan<unknown>])[] = [
      ['there is nothing to move', 'not_found', ['none', 'new'], { move: [['none', 'new']], value: 0 }],
      ['a document is in the way of a move', 'occupied', ['a', 'folder/'], { move: [['folder/x', 'a']], value: 0 }],
      ['a folder is in the way of a move', 'occupied', ['folder/', 'other/'], { move: [['folder', 'other']], value: 0 }],
      ['a folder is where it puts', 'invalid_path', ['folder'], { put: { folder: bytes('1') }, value: 0 }],
      ['a document is where it puts into', 'invalid_path', ['a/'], { put: { 'a/b': bytes('1') }, value: 0 }],
      [
        'the second of two moves fails',
        'not_found',
        ['a', 'b', 'c', 'd'],
        {
          move: [
            ['a', 'b'],
            ['c', 'd'],
          ],
          value: 0,
        },
      ],
      [
        'a put fails behind an append',
        'invalid_path',
        ['a', 'folder'],
        { append: { a: bytes('2') }, put: { folder: bytes('1') }, value: 0 },
      ],
    ]
    it.each(failing)('%s: %s', async (_, code, paths, plan) => {
      await withStorage(create, async (world) => {
        await world.put(set)
        expect(await codeOf(world, paths, () => plan)).toBe(code)
      })()
    })

    it.each([
      ['it names nothing', []],
      ['it names a path outside', ['../a']],
      ['it names an absolute path', ['/a']],
      ['it names a path with a NUL', ['a\0b']],
      ['it names an empty path', ['']],
      ['it names what is no text', [7 as unknown as string]],
    ] as const)('%s', async (_, paths) => {
      await withStorage(create, async (world) => {
        await world.put(set)
        expect(await codeOf(world, paths, () => ({ value: 0 }))).toBe('invalid_path')
        const read = await world.storage.read(paths)
        expect(!read.ok && HermesError.isInstance(read.error) && read.error.code).toBe('invalid_path')
      })()
    })
  })
}
