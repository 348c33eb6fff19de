/** A file that is replaced in one step, or not at all. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { writeAtomically } from '../../src/storage/backends/file-system/atomic-write.ts'
import { DisplacedError, withFolder } from '../../src/storage/backends/file-system/pinned-folder.ts'
import { replaceFileCalls } from './support/replaced-calls.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const faults: { unlink?: boolean; rename?: boolean } = {}
const broken = () => Object.assign(new Error('EIO'), { code: 'EIO' })

replaceFileCalls((fs) => ({
  unlink: async (path: string) => (faults.unlink ? Promise.reject(broken()) : fs.unlink(path)),
  rename: async (from: string, to: string) => (faults.rename ? Promise.reject(broken()) : fs.rename(from, to)),
}))

let folder: string
beforeEach(() => {
  Object.assign(faults, { unlink: false, rename: false })
  folder = temporaryFolder()
  writeFileSync(join(folder, 'a'), 'old')
})

const content = { bytes: new TextEncoder().encode('new'), executable: false, durable: true }
const write = (mayReplace = async () => true, executable = false) =>
  withFolder(folder, (pinned) => writeAtomically(pinned, 'a', { ...content, executable }, mayReplace))
const written = () => [readFileSync(join(folder, 'a'), 'utf8'), readdirSync(folder).length]

it('replaces the old file, with the rights of a document or a program', async () => {
  for (const [executable, mode] of [
    [false, 0o600],
    [true, 0o700],
  ] as const) {
    expect(await write(undefined, executable)).toBe(true)
    expect(written()).toEqual(['new', 1])
    expect(statSync(join(folder, 'a')).mode & 0o777).toBe(mode)
  }
})

it('leaves the old file alone, and nothing beside it, if it may not be replaced or the disk fails', async () => {
  expect(await write(async () => false)).toBe(false)
  expect(written()).toEqual(['old', 1])
  await expect(write(async () => Promise.reject(broken()))).rejects.toThrow('EIO')
  faults.rename = true
  await expect(write()).rejects.toThrow('EIO')
  expect(written()).toEqual(['old', 1])
})

it('asks at the end, when the new file is complete', async () => {
  let beside: string[] = []
  await write(async () => {
    beside = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    return true
  })
  expect(beside.sort()).toEqual(['new', 'old'])
})

it('says so if the new file cannot be removed, but not if it is gone already', async () => {
  faults.unlink = true
  await expect(write(async () => false)).rejects.toThrow('EIO')
  faults.unlink = false
  const gone = async () => {
    for (const name of readdirSync(folder)) if (name !== 'a') rmSync(join(folder, name))
    return false
  }
  expect(await write(gone)).toBe(false)
})

it.runIf(process.platform === 'linux')('writes nothing into a folder that has taken the place of the other', async () => {
  const other = join(folder, 'other')
  mkdirSync(other)
  const pinned = { folder, at: (name: string) => join(other, name), sync: async () => undefined }
  await expect(writeAtomically(pinned, 'a', content, async () => true)).rejects.toThrow(DisplacedError)
  expect(readdirSync(other)).toEqual([])
})
