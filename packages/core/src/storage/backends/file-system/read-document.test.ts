/** One document is read, whatever is at its path, even while links on the way to it change. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/storage/support/temporary-home.ts'
import { HermesError } from '../../../shared/hermes-error.ts'
import { err } from '../../../shared/result.ts'
import { readDocument } from './read-document.ts'
import type { ReadableHome } from './readable-home.ts'
import { resolvePath } from './resolve-path.ts'

let root: string

beforeEach(() => {
  root = temporaryFolder()
  writeFileSync(join(root, 'a'), 'a text')
  mkdirSync(join(root, 'empty/er'), { recursive: true })
  mkdirSync(join(root, 'full'))
  writeFileSync(join(root, 'full/b'), 'x')
})

/** A home that counts how often it resolves a path. */
const homeOf = (others: Partial<ReadableHome> = {}) => {
  const resolved: string[] = []
  const home: ReadableHome = {
    resolve: (path) => {
      resolved.push(path)
      return resolvePath(root, path, new Set())
    },
    ...others,
  }
  return { home, resolved }
}

const textOf = async (home: ReadableHome, path: string) => {
  const read = await readDocument(home, path)
  return read.ok ? read.value && new TextDecoder().decode(read.value.bytes) : [read.error.code, read.error.message]
}

describe('a document', () => {
  it('is read', async () => {
    const { home, resolved } = homeOf()
    expect(await textOf(home, 'a')).toBe('a text')
    expect(resolved).toEqual(['a'])
  })

  it('is none if nothing is there, or no document in a folder', async () => {
    const { home, resolved } = homeOf()
    for (const path of ['none', 'none/deep', 'a/below', 'empty']) expect(await textOf(home, path), path).toBeUndefined()
    expect(resolved).toEqual(['none', 'none/deep', 'a/below', 'empty'])
  })

  it('is refused if a folder with documents, a pipe or a link to the outside is there', async () => {
    const { home } = homeOf()
    symlinkSync('/etc/hostname', join(root, 'link'))
    expect(await textOf(home, 'full')).toEqual(['invalid_path', expect.stringContaining('it is a folder')])
    expect(await textOf(home, 'link')).toEqual(['invalid_path', expect.stringContaining("'link'")])
    if (spawnSync('mkfifo', [join(root, 'pipe')]).status !== 0) return
    expect(await textOf(home, 'pipe')).toEqual(['invalid_path', expect.stringContaining('a device, pipe or socket is there')])
  })

  it('is read through a link inside the home', async () => {
    const { home } = homeOf()
    symlinkSync('a', join(root, 'link'))
    symlinkSync('full', join(root, 'folder'))
    expect(await textOf(home, 'link')).toBe('a text')
    expect(await textOf(home, 'folder/b')).toBe('x')
  })
})

describe('a document whose links change all the time', () => {
  it('is read once they rest, and given up after 20 attempts', async () => {
    symlinkSync('a', join(root, 'link'))
    for (const [changes, expected] of [
      [19, 'a text'],
      [20, ['io', expect.stringContaining('keep changing')]],
    ] as const) {
      let attempts = 0
      // What has just been resolved has become a link.
      const file = () => join(root, ++attempts > changes ? 'a' : 'link')
      const { home } = homeOf({
        resolve: async () => ({
          ok: true,
          value: { file: file(), canonical: 'x', isLink: false, isStraight: false, isMissing: false, blocked: undefined },
        }),
      })
      expect(await textOf(home, 'x')).toEqual(expected)
      expect(attempts).toBe(20)
    }
  })

  it('is not looked for again if its path cannot be resolved', async () => {
    const { home } = homeOf({ resolve: async () => err(new HermesError('invalid_path', 'no way')) })
    expect(await textOf(home, 'a')).toEqual(['invalid_path', 'no way'])
  })
})

it('is not opened where nothing was found a moment ago', async () => {
  const { home } = homeOf({
    resolve: async (path) => ({
      ok: true,
      value: { file: join(root, path), canonical: path, isLink: false, isStraight: true, isMissing: true, blocked: undefined },
    }),
  })
  expect(await textOf(home, 'a')).toBeUndefined()
})
