/** The folders of a person who has left are removed, and nothing with a document in it. */
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/storage/support/temporary-home.ts'
import { CURRENT_PROCESS } from './process-identity.ts'
import { removeEmptied } from './remove-emptied.ts'

let home: string

beforeEach(() => {
  home = join(temporaryFolder(), 'home')
})

const resolved = (path: string, canonical: string | undefined = path) => ({
  file: join(home, path),
  canonical,
  isLink: false,
  isStraight: true,
  isMissing: true,
  blocked: undefined,
})

/** After the document at this path has been removed: what is left of the home. */
const left = async (path: string, others: readonly string[] = [], canonical: string | undefined = path): Promise<string[]> => {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  for (const other of others) {
    mkdirSync(dirname(join(home, other)), { recursive: true })
    if (other.endsWith('/')) mkdirSync(join(home, other), { recursive: true })
    else writeFileSync(join(home, other), 'x')
  }
  await removeEmptied(resolved(path, canonical))
  return existsSync(home) ? readdirSync(home, { recursive: true }).map(String).sort() : []
}

const temporary = (pid: number, host = CURRENT_PROCESS.host) => `.hermes-tmp-${pid}-${host}-a-1`
const DEAD = 2 ** 30

describe('after the last document of a person, at a path of', () => {
  it.each([
    ['a home', 'homes/anna/memories/MEMORY.md'],
    ['an owner', 'owners/anna/deep/er/x.json'],
    ['the folder itself', 'homes/x.json'],
  ])('%s, every folder of it is removed, but not the home', async (_, path) => {
    expect(await left(path)).toEqual([])
    expect(existsSync(home)).toBe(true)
  })

  it('an ordinary folder, nothing is removed', async () => {
    expect(await left('sessions/anna/x.json')).toEqual(['sessions', 'sessions/anna'])
    expect(await left('anna/homes/x.json')).toContain('anna/homes')
  })

  it('the top of the home, or of another place, nothing is removed', async () => {
    expect(await left('x.json', ['homes/'])).toEqual(['homes'])
    await removeEmptied({ ...resolved('homes/x.json'), canonical: undefined })
    expect(readdirSync(home)).toEqual(['homes'])
  })
})

describe('a folder is kept', () => {
  it.each([
    ['with a document', ['homes/anna/other.json'], ['homes', 'homes/anna', 'homes/anna/other.json']],
    [
      'with a document further below',
      ['homes/anna/a/b/c.json'],
      ['homes', 'homes/anna', 'homes/anna/a', 'homes/anna/a/b', 'homes/anna/a/b/c.json'],
    ],
    ['of another person', ['homes/berta/x.json'], ['homes', 'homes/berta', 'homes/berta/x.json']],
    [
      'with a temporary file that is being written',
      [`homes/anna/${temporary(process.pid)}`],
      ['homes', 'homes/anna', `homes/anna/${temporary(process.pid)}`],
    ],
  ])('%s', async (_, others, expected) => {
    expect(await left('homes/anna/x.json', others)).toEqual(expected)
  })

  it('that a link is in, since the link may be somebody’s', async () => {
    mkdirSync(join(home, 'homes/anna'), { recursive: true })
    symlinkSync('/none', join(home, 'homes/anna/link'))
    expect(await left('homes/anna/x.json')).toEqual(['homes', 'homes/anna', 'homes/anna/link'])
  })
})

describe('what does not keep a folder:', () => {
  it('empty folders and what dead processes left', async () => {
    const others = ['homes/anna/empty/er/', `homes/anna/a/${temporary(DEAD)}`, `homes/anna/${temporary(DEAD)}`]
    expect(await left('homes/anna/x.json', others)).toEqual([])
  })

  it('another process, which removed it first', async () => {
    mkdirSync(join(home, 'homes/anna'), { recursive: true })
    await removeEmptied(resolved('homes/anna/gone/away/x.json'))
    expect(readdirSync(home)).toEqual([])
  })
})

it('removes nothing behind a link that was put in the place of a folder', async () => {
  const outside = join(home, '../outside')
  mkdirSync(join(outside, 'empty'), { recursive: true })
  mkdirSync(join(home, 'homes'), { recursive: true })
  symlinkSync(outside, join(home, 'homes/anna'))
  await removeEmptied(resolved('homes/anna/x.json'))
  expect(readdirSync(outside)).toEqual(['empty'])
  rmSync(join(home, 'homes/anna'))
})

it('reports an error that is not one of the system', async () => {
  await expect(removeEmptied(resolved('homes/a\0b/x.json'))).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' })
})
