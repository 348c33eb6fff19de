import { describe, expect, it } from 'vitest'
import { archiveNames, readArchiveName } from './archive.ts'

const AT = Date.UTC(2026, 4, 12, 10, 15)

describe('readArchiveName', () => {
  it.each([
    ['foo-20260512101500', 'foo', AT],
    ['foo-20260512101500-2', 'foo', AT],
    ['foo-2026-05-12-101500', 'foo', AT],
    ['foo-2026-05-12T10-15-00Z', 'foo', AT],
    ['foo-2026-05-12', 'foo', Date.UTC(2026, 4, 12)],
    ['foo-bar-20260512', 'foo-bar', Date.UTC(2026, 4, 12)],
  ])('takes the time off %s', (name, base, at) => {
    expect(readArchiveName(name)).toEqual({ base, at })
  })

  it.each(['foo', 'foo-2', 'foo-2026', 'foo-20261399', 'foo-20260512259999', '20260512101500', '-20260512', ''])(
    'finds none in %j',
    (name) => {
      expect(readArchiveName(name)).toEqual({ base: name, at: 0 })
    },
  )
})

describe('archiveNames', () => {
  const first = (folderName: string, count: number): readonly string[] => {
    const names = archiveNames(folderName, AT)
    return Array.from({ length: count }, () => String(names.next().value))
  }

  it('offers the name, then with the time, then numbered', () => {
    expect(first('foo', 4)).toEqual(['foo', 'foo-20260512101500', 'foo-20260512101500-2', 'foo-20260512101500-3'])
  })

  it('stays short enough for a file name, and reads back what it made', () => {
    for (const name of ['x'.repeat(255), '文'.repeat(85), '🌍'.repeat(63)]) {
      for (const offered of first(name, 3)) expect(new TextEncoder().encode(`${offered}.json`).length).toBeLessThanOrEqual(255)
    }
    for (const offered of first('foo', 4).slice(1)) expect(readArchiveName(offered)).toEqual({ base: 'foo', at: AT })
  })
})
