/** What the file of a document is read as, and what is found in its place. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openDocumentFile, readDocumentFile, statusAt, toDocument } from '../../src/storage/backends/file-system/document-file.ts'
import { DisplacedError } from '../../src/storage/backends/file-system/pinned-folder.ts'
import { replaceFileCalls } from './support/replaced-calls.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const faults: { code?: string | undefined } = {}
const fail = () => {
  if (faults.code) throw Object.assign(new Error(faults.code), { code: faults.code })
}

replaceFileCalls((fs) => ({
  open: async (path: string, ...rest: [never, never]) => {
    fail()
    return fs.open(path, ...rest)
  },
  exactLstat: async (path: string) => {
    if (faults.code === 'EIO') fail()
    return fs.exactLstat(path)
  },
}))

let folder: string
let file: string

beforeEach(() => {
  faults.code = undefined
  folder = temporaryFolder()
  file = join(folder, 'a')
  writeFileSync(file, 'text')
})

const read = async (path: string) => {
  const found = await readDocumentFile(path)
  return typeof found === 'object' ? new TextDecoder().decode(found.document.bytes) : found
}

describe('a document', () => {
  it('has its bytes, whether it is a program, and half the hash of its bytes as its version', async () => {
    const bytes = new TextEncoder().encode('text')
    const version = createHash('sha256').update('text').digest('hex').slice(0, 32)
    expect({ ...toDocument(bytes, false) }).toEqual({ bytes, version })
    expect({ ...toDocument(bytes, true) }).toEqual({ bytes, executable: true, version })
    expect(await readDocumentFile(file)).toMatchObject({ document: { bytes, version } })
    chmodSync(file, 0o700)
    expect(await readDocumentFile(file)).toMatchObject({ document: { executable: true } })
    chmodSync(file, 0o677)
    expect(await readDocumentFile(file)).not.toHaveProperty('document.executable')
  })

  it('is identified by its content and time, also after it was replaced', async () => {
    const identity = async () => {
      const found = await readDocumentFile(file)
      return typeof found === 'object' && found.identity
    }
    const first = await identity()
    expect(await identity()).toBe(first)
    writeFileSync(file, 'next')
    expect(await identity()).not.toBe(first)
  })

  it.runIf(existsSync('/proc/version'))('is read to its end although its size is not known', async () => {
    expect(await read('/proc/version')).toBe(readFileSync('/proc/version', 'utf8'))
  })
})

describe.runIf(process.platform === 'linux')('in the place of a document', () => {
  it('is nothing, a folder, or something special', async () => {
    expect(await read(join(folder, 'none'))).toBeUndefined()
    expect(await read(join(file, 'below'))).toBeUndefined()
    expect(await read(folder)).toBe('folder')
    expect(await read('/dev/null')).toBe('special')
    const server = createServer().listen(join(folder, 'socket'))
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    expect(await read(join(folder, 'socket'))).toBe('special')
    expect(spawnSync('mkfifo', [join(folder, 'pipe')]).status).toBe(0)
    expect(await read(join(folder, 'pipe'))).toBe('special')
  })

  it('is a folder or something special also if a system cannot open it', async () => {
    for (const code of ['EISDIR', 'EPERM', 'EACCES']) {
      faults.code = code
      expect(await read(folder)).toBe('folder')
      for (const path of [file, join(folder, 'none')]) await expect(read(path)).rejects.toMatchObject({ code })
    }
    faults.code = 'EOPNOTSUPP'
    expect(await read(file)).toBe('special')
  })

  it('is an error that says so if the disk fails', async () => {
    faults.code = 'EIO'
    await expect(read(file)).rejects.toMatchObject({ code: 'EIO' })
    await expect(read(folder)).rejects.toMatchObject({ code: 'EIO' })
    await expect(statusAt(file)).rejects.toMatchObject({ code: 'EIO' })
  })

  it('is a link that must not be followed, or another file that the way led to', async () => {
    symlinkSync(file, join(folder, 'link'))
    await expect(read(join(folder, 'link'))).rejects.toThrow(DisplacedError)
    mkdirSync(join(folder, 'other'))
    writeFileSync(join(folder, 'other/a'), 'of another')
    await expect(readDocumentFile(file, join(folder, 'other/a'))).rejects.toThrow(DisplacedError)
  })
})

it('has the status of what is at a path, or none', async () => {
  expect(await statusAt(file)).toMatchObject({ size: 4n })
  expect(await statusAt(join(folder, 'none'))).toBeUndefined()
  expect(await statusAt(join(file, 'below'))).toBeUndefined()
})

it.runIf(process.platform === 'linux')('keeps a file open until it is let go, and none of those that it only reads', async () => {
  const open = (): number =>
    readdirSync('/proc/self/fd').filter((handle) => {
      try {
        return readlinkSync(`/proc/self/fd/${handle}`).startsWith(folder)
      } catch {
        return false
      }
    }).length
  const opened = await openDocumentFile(file)
  expect(open()).toBe(1)
  opened.letGo()
  await expect.poll(open, { interval: 1 }).toBe(0)
  await read(file)
  await read(folder)
  mkdirSync(join(folder, 'other'))
  writeFileSync(join(folder, 'other/a'), 'of another')
  await expect(readDocumentFile(file, join(folder, 'other/a'))).rejects.toThrow(DisplacedError)
  await expect.poll(open, { interval: 1 }).toBe(0)
})
