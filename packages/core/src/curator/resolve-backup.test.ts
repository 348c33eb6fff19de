import { describe, expect, it } from 'vitest'
import { archivePath, type SkillBackup } from './backup-manifest.ts'
import { resolveBackup } from './backups.ts'

const backup = (id: string): SkillBackup => ({
  id,
  createdAt: 0,
  reason: 'manual',
  archive: archivePath(id),
  archiveBytes: 0,
  archiveSha256: '',
  skillCount: 0,
  files: [],
  leftOut: [],
})

const NEWEST_FIRST = ['2026-05-17T08-00-00Z', '2026-05-16T23-59-59Z-2', '2026-05-16T23-59-59Z', '2026-05-16T10-00-00Z'].map(backup)

const idOf = (target?: string): string => {
  const found = resolveBackup(NEWEST_FIRST, target)
  return found.ok ? found.value.id : found.error.code
}

describe('which backup is meant', () => {
  it('is the newest if nothing is said', () => {
    expect(idOf()).toBe('2026-05-17T08-00-00Z')
  })

  it('is the newest of a day', () => {
    expect(idOf('2026-05-16')).toBe('2026-05-16T23-59-59Z-2')
    expect(idOf(' 2026-05-17 ')).toBe('2026-05-17T08-00-00Z')
  })

  it('is the one of an id, also as its file is called', () => {
    expect(idOf('2026-05-16T23-59-59Z')).toBe('2026-05-16T23-59-59Z')
    expect(idOf('2026-05-16T10-00-00Z_curator.tar.gz')).toBe('2026-05-16T10-00-00Z')
  })

  it('is the only one with that beginning', () => {
    expect(idOf('2026-05-16T10')).toBe('2026-05-16T10-00-00Z')
  })

  it('is not guessed', () => {
    expect(idOf('2026-05')).toBe('ambiguous')
    expect(idOf('2026-05-15')).toBe('not_found')
    expect(idOf('16.05.2026')).toBe('not_found')
    expect(idOf('')).toBe('not_found')
    expect(resolveBackup([], '2026-05-16')).toMatchObject({ ok: false, error: { message: expect.stringContaining('no backup yet') } })
  })
})
