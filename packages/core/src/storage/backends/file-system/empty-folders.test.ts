/** Folders without documents: which they are, and what is removed with them. */
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/storage/support/temporary-home.ts'
import { resolvePath } from './resolve-path.ts'
import { holdsDocuments, removeEmptyFolder } from './walk-documents.ts'

let root: string

beforeEach(() => {
  root = temporaryFolder()
})

const put = (...paths: readonly string[]) => {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), path)
  }
}

describe('a folder', () => {
  const home = { resolve: (path: string) => resolvePath(root, path, new Set()) }
  const holds = (path: string) => holdsDocuments(home, path, join(root, path))

  it('holds documents if there is one at any depth, and not for other files', async () => {
    put('a/b/c', 'd/.mem_x.tmp', 'e/x:')
    mkdirSync(join(root, 'f/g'), { recursive: true })
    symlinkSync('/etc/hostname', join(root, 'f/g/out'))
    expect(await holds('a')).toBe(true)
    for (const path of ['d', 'e', 'f', 'none']) expect(await holds(path), path).toBe(false)
  })

  it('is removed with the empty folders in it', async () => {
    mkdirSync(join(root, 'a/b/c'), { recursive: true })
    await removeEmptyFolder(join(root, 'a'))
    expect(existsSync(join(root, 'a'))).toBe(false)
  })

  it('is kept with anything else that is in it', async () => {
    put('a/b/other.lock')
    await expect(removeEmptyFolder(join(root, 'a'))).rejects.toMatchObject({ code: 'ENOTEMPTY' })
    expect(readdirSync(join(root, 'a/b'))).toEqual(['other.lock'])
  })
})
