/** A damaged index is set aside, what can be read of it is copied, and recall goes on. */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { HermesError } from '@hermes/core'
import { describe, expect, it } from 'vitest'
import { find, manyTurns, openIndex, turn } from './support/open-index.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const COUNT = 400

const filled = async (): Promise<{ readonly folder: string; readonly file: string }> => {
  const folder = temporaryFolder()
  const index = await openIndex(folder)
  await index.add(manyTurns(COUNT))
  await index.close()
  return { folder, file: join(folder, 'recall.db') }
}

const overwrite = (file: string, from: number, bytes: Uint8Array): void => {
  const content = readFileSync(file)
  content.set(bytes.subarray(0, Math.max(0, content.length - from)), from)
  writeFileSync(file, content)
}

const asideIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => /^recall\.(?:damaged|salvaged)-\d+\.db$/.test(name))

/** Uses the index in every way until it has healed; returns the turns that it then holds. */
const healed = async (folder: string, problems: HermesError[]): Promise<number> => {
  const index = await openIndex(folder, { problems })
  expect(await index.add([turn('after', 'said after the damage')])).toBe(1)
  await index.search({ terms: ['weath', 'after'], limit: 50 })
  await index.reindex()
  await index.forget({ kind: 'text', text: 'none', matches: () => false, dryRun: true })
  await expect.poll(() => asideIn(folder).filter((name) => name.includes('damaged')), { timeout: 20_000 }).toEqual([])
  await expect.poll(() => index.check(), { timeout: 20_000 }).toEqual([])
  expect(await find(index, 'after')).toEqual(['after'])
  const { turns } = await index.stats()
  await index.close()
  return turns
}

describe('a damaged file', () => {
  it('whose pages are overwritten is copied as far as it can be read', async () => {
    const { folder, file } = await filled()
    const problems: HermesError[] = []
    const { size } = statSync(file)
    overwrite(file, Math.floor(size / 3), randomBytes(8_192))
    const turns = await healed(folder, problems)
    expect(turns).toBeGreaterThan(COUNT / 4)
    for (const { code } of problems) expect(code).toBe('unreadable')
  })

  it('with half a page of zeros is copied as far as it can be read', async () => {
    const { folder, file } = await filled()
    for (let page = 3; page < statSync(file).size / 4_096; page += 7) overwrite(file, page * 4_096, new Uint8Array(2_048))
    const turns = await healed(folder, [])
    expect(turns).toBeGreaterThan(1)
  })

  it('that was cut off is copied as far as it can be read', async () => {
    const { folder, file } = await filled()
    truncateSync(file, Math.floor(statSync(file).size * 0.6))
    const problems: HermesError[] = []
    await healed(folder, problems)
    expect(problems.map(({ message }) => message).join(' ')).toMatch(/was damaged.*was moved to/)
  })

  it('whose beginning is lost is kept, and replaced by a new one', async () => {
    const { folder, file } = await filled()
    overwrite(file, 0, randomBytes(4_096))
    const problems: HermesError[] = []
    expect(await healed(folder, problems)).toBe(1)
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('The recall index was damaged'),
      expect.stringContaining('Nothing of the damaged recall index was copied (0 items)'),
    ])
    const [kept = ''] = asideIn(folder)
    expect(statSync(join(folder, kept)).mode & 0o077).toBe(0)
  })

  it('of random bytes, or empty, is replaced', async () => {
    for (const bytes of [randomBytes(10_000), new Uint8Array(0)]) {
      const folder = temporaryFolder()
      writeFileSync(join(folder, 'recall.db'), bytes)
      expect(await healed(folder, [])).toBe(1)
    }
  })

  it('with damaged terms only gets new ones, and stays', async () => {
    const { folder, file } = await filled()
    const db = new DatabaseSync(file)
    // Newer versions of Node protect such tables.
    Reflect.get(db, 'enableDefensive')?.call(db, false)
    db.exec("update item_terms_data set block = x'00ff00ff00ff00ff' where id > 10")
    db.close()
    const problems: HermesError[] = []
    const index = await openIndex(folder, { problems })
    await index.search({ terms: ['word7'], limit: 5 })
    await expect.poll(() => index.check(), { timeout: 20_000 }).toEqual([])
    expect(await find(index, 'word7', 'word399')).toEqual(['word-399', 'word-7'])
    expect((await index.stats()).turns).toBe(COUNT)
    expect(asideIn(folder).length).toBeLessThanOrEqual(1)
    await index.close()
  })

  it('that was set aside is erased with the rest, and by forgetting', async () => {
    const { folder, file } = await filled()
    overwrite(file, 0, randomBytes(4_096))
    await healed(folder, [])
    expect(asideIn(folder)).toHaveLength(1)
    const index = await openIndex(folder)
    await index.forget({ kind: 'session', sessionId: 'chat-3', dryRun: true })
    expect(asideIn(folder)).toHaveLength(1)
    await index.forget({ kind: 'session', sessionId: 'chat-3', dryRun: false })
    expect(asideIn(folder)).toEqual([])
    await index.forget({ kind: 'all', dryRun: false })
    expect(readdirSync(folder)).toEqual([])
    await index.close()
  })
})

it('the database of another program, or of a newer package, is refused and stays as it is', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'recall.db')
  const other = new DatabaseSync(file)
  other.exec('create table notes (text); pragma application_id = 77')
  other.close()
  const before = readFileSync(file)
  const index = await openIndex(folder)
  await expect(index.add([turn('a', 'words')])).rejects.toThrow('is the database of another program')
  await expect(index.search({ terms: ['word'], limit: 5 })).rejects.toThrow('is the database of another program')
  await index.close()
  expect(readFileSync(file)).toEqual(before)
  expect(existsSync(file)).toBe(true)

  const newer = await filled()
  const db = new DatabaseSync(newer.file)
  db.exec('pragma user_version = 99')
  db.close()
  const refused = await openIndex(newer.folder)
  await expect(refused.stats()).rejects.toThrow('needs a newer @hermes/recall')
  await refused.close()
})

it('says what to do where no file can be made', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'taken'), '')
  const index = await openIndex(join(folder, 'taken/below'))
  await expect(index.add([turn('a', 'words')])).rejects.toMatchObject({
    code: 'io',
    message: expect.stringContaining('Choose another folder'),
  })
  await index.close()
})

it('says that another process keeps the file locked, and works when it ends', async () => {
  const { folder, file } = await filled()
  const other = new DatabaseSync(file)
  other.exec('begin immediate')
  const index = await openIndex(folder)
  expect(await find(index, 'word7')).toEqual(['word-7'])
  const adding = index.add([turn('late', 'after the lock')])
  await new Promise((resolve) => setTimeout(resolve, 200))
  other.exec('rollback')
  other.close()
  expect(await adding).toBe(1)
  await index.close()
})
