import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import nodeModule, { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { loadKoffi } from './load-koffi.ts'

const { argv } = process

/** Packages that are not found, by their name and who asks for them. */
let isMissing: (name: string, by: string) => boolean

beforeEach(() => {
  isMissing = () => false
  const resolver = nodeModule as unknown as { _resolveFilename: (name: string, by?: { filename?: string }) => string }
  const resolve = resolver._resolveFilename
  vi.spyOn(resolver, '_resolveFilename').mockImplementation((name, by, ...rest: []) => {
    if (isMissing(name, by?.filename ?? '')) throw new Error(`${name} is not installed`)
    return resolve.call(nodeModule, name, by, ...rest)
  })
})

afterEach(() => {
  vi.restoreAllMocks()
  process.argv = argv
})

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** A program with a package koffi beside it that exports `name`. */
const programWithKoffi = (name: string): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-koffi-')))
  folders.push(folder)
  mkdirSync(join(folder, 'node_modules/koffi'), { recursive: true })
  writeFileSync(join(folder, 'node_modules/koffi/index.js'), `module.exports = ${JSON.stringify({ name })}`)
  return join(folder, 'program.js')
}

/** Neither this package nor the stubs find the real koffi, wherever it is. */
const findsOnlyStubs = (name: string, by: string): boolean => !by.includes('hermes-koffi-') || name.startsWith('@koromix/')

it('loads the native part of koffi, and not the rest', () => {
  const koffi = createRequire(import.meta.url).resolve('koffi')
  expect(loadKoffi()).toBe(createRequire(koffi)(`@koromix/koffi-${process.platform}-${process.arch}`))
  expect(loadKoffi()).toMatchObject({ load: expect.any(Function), errno: expect.any(Function), os: { errno: expect.any(Object) } })
})

it('loads all of koffi where its native part is elsewhere', () => {
  isMissing = (name) => name.startsWith('@koromix/')
  expect(loadKoffi()).toMatchObject({ load: expect.any(Function), struct: expect.any(Function) })
  process.argv = [argv[0] ?? '', programWithKoffi('beside the program')]
  isMissing = findsOnlyStubs
  expect(loadKoffi()).toEqual({ name: 'beside the program' })
})

it('looks beside this package first, then beside the program that was started, and nowhere else', () => {
  process.argv = [argv[0] ?? '', programWithKoffi('beside the program'), programWithKoffi('of an argument')]
  expect(loadKoffi()).toHaveProperty('load')
  isMissing = findsOnlyStubs
  expect(loadKoffi()).toEqual({ name: 'beside the program' })
  process.argv = [programWithKoffi('beside Node'), join(tmpdir(), 'program.js'), programWithKoffi('of an argument')]
  expect(loadKoffi()).toBeUndefined()
})
