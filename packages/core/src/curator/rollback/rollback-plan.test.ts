import { describe, expect, it } from 'vitest'
import type { SkillBackup } from '../backup/backup-manifest.ts'
import { planRollback } from './rollback-plan.ts'

const bytes = new Uint8Array()
const info = (path: string) => ({ path, size: 0, stamp: '' })

const plan = (then: readonly string[], now: readonly string[], leftOut: readonly string[] = []) => {
  const backup: SkillBackup = {
    id: '2026-05-16T10-00-00Z',
    createdAt: 0,
    reason: 'manual',
    archive: '',
    archiveBytes: 0,
    archiveSha256: '',
    skillCount: 0,
    files: then.map((path) => ({ path, size: 0, sha256: '' })),
    leftOut: leftOut.map((path) => ({ path, size: 0, why: 'file too large' })),
  }
  const contents = new Map(then.map((path) => [path, { bytes, executable: false }]))
  const { leaving, leavingFirst, ...rest } = planRollback(
    now.map(info),
    { backup, contents },
    new Set(now.filter((path) => contents.has(path))),
  )
  return { ...rest, leaving: leaving.map(({ path }) => path), leavingFirst: leavingFirst.map(({ path }) => path) }
}

describe('what a rollback has to do', () => {
  it('is nothing if nothing has changed', () => {
    const paths = ['skills/.usage.json', 'skills/a/SKILL.md', 'skills/a/assets/x']
    expect(plan(paths, paths)).toEqual({ puts: [], leaving: [], leavingFirst: [], newEntries: [], obstacles: [] })
  })

  it('leaves what the backup had no room for where it is, and does not archive its skill', () => {
    expect(plan(['skills/b/SKILL.md'], ['skills/a/assets/big', 'skills/b/SKILL.md'], ['skills/a/assets/big']).leaving).toEqual([])
  })

  it('moves a skill out first whose name differs only in case, as a disk may take the two for one', () => {
    const { puts, leavingFirst, leaving } = plan(['skills/deploy/SKILL.md'], ['skills/Deploy/SKILL.md', 'skills/other/SKILL.md'])
    expect(puts).toEqual(['skills/deploy/SKILL.md'])
    expect(leavingFirst).toEqual(['skills/Deploy/SKILL.md'])
    expect(leaving).toEqual(['skills/other'])
  })

  it('never moves a whole folder in which something stays, not even by another case', () => {
    const { leaving, leavingFirst } = plan(['skills/ops/a/SKILL.md'], ['skills/Ops/SKILL.md', 'skills/Ops/x.md', 'skills/ops/a/SKILL.md'])
    expect([...leavingFirst, ...leaving]).toEqual(['skills/Ops/SKILL.md', 'skills/Ops/x.md'])
  })

  it('archives a skill inside another one before that one', () => {
    expect(plan([], ['skills/a/SKILL.md', 'skills/a/b/SKILL.md']).leaving).toEqual(['skills/a/b', 'skills/a'])
  })

  it('leaves entries that were archived since to be judged by their names', () => {
    const then = ['skills/.archive/old/SKILL.md']
    const now = [
      'skills/.archive/old/SKILL.md',
      'skills/.archive/old/assets/later',
      'skills/.archive/new/SKILL.md',
      'skills/.archive/.manifests/new.json',
    ]
    const { newEntries, leaving } = plan(then, now)
    expect(newEntries).toEqual(['new'])
    expect(leaving).toEqual(['skills/.archive/old/assets/later'])
  })
})
