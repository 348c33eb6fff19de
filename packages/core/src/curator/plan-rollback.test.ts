import { describe, expect, it } from 'vitest'
import { toFolder } from '../skills/skill-discovery.ts'
import type { SkillBackup } from './backup-manifest.ts'
import type { OpenBackup } from './backups.ts'
import { archiveNamesIn, planRollback } from './plan-rollback.ts'

const bytes = new Uint8Array()
const info = (path: string) => ({ path, size: 0, stamp: '' })

const backupOf = (then: readonly string[], leftOut: readonly string[] = []): OpenBackup => {
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
  return { backup, contents: new Map(then.map((path) => [path, { bytes, executable: false }])) }
}

const plan = (then: readonly string[], now: readonly string[], leftOut: readonly string[] = []) => {
  const open = backupOf(then, leftOut)
  const { leaving, leavingFirst, ...rest } = planRollback(now.map(info), open, new Set(now.filter((path) => open.contents.has(path))))
  return { ...rest, leaving: leaving.map(({ path }) => path), leavingFirst: leavingFirst.map(({ path }) => path) }
}

describe('what a rollback has to do', () => {
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

  it('tells a whole skill from the files of one that stays in part, and from other documents', () => {
    const then = ['skills/ops/backup/SKILL.md', 'skills/.archive/old/SKILL.md']
    const extra = ['skills/.archive/old/later.md', 'skills/notes.md', 'skills/ops/SKILL.md', 'skills/ops/a.md', 'skills/fresh/SKILL.md']
    const { leaving } = planRollback([...then, ...extra].map(info), backupOf(then), new Set(then))
    expect(leaving).toEqual([
      { kind: 'document', path: 'skills/.archive/old/later.md', skill: undefined },
      { kind: 'document', path: 'skills/notes.md', skill: undefined },
      { kind: 'skill-file', path: 'skills/ops/SKILL.md', skill: toFolder('ops') },
      { kind: 'skill-file', path: 'skills/ops/a.md', skill: toFolder('ops') },
      { kind: 'skill', path: 'skills/fresh', skill: toFolder('fresh') },
    ])
  })

  it('takes no document beside the entries of the archive for an entry', () => {
    expect(plan([], ['skills/.archive/notes.md', 'skills/.archive/.hidden/a.md'])).toMatchObject({ newEntries: [], leaving: [] })
  })

  it('moves away first what is in the place of a document in the archive', () => {
    expect(plan(['skills/.archive/note'], ['skills/.archive/note/SKILL.md', 'skills/.archive/other/SKILL.md'])).toMatchObject({
      leavingFirst: ['skills/.archive/note/SKILL.md'],
      leaving: [],
      newEntries: ['note', 'other'],
    })
  })

  it('does not move a link out of the home, but says that it is in the way', () => {
    const link = { ...info('skills/a'), unreadable: 'outward-link' as const }
    expect(planRollback([link], backupOf([]), new Set())).toMatchObject({ leaving: [], leavingFirst: [], obstacles: [] })
    expect(planRollback([link], backupOf(['skills/a/SKILL.md']), new Set())).toMatchObject({ leavingFirst: [], obstacles: ['skills/a'] })
  })
})

it('knows the names that a backup has in the archive, also of what it had no room for', () => {
  const then = ['skills/deploy/SKILL.md', 'skills/.archive/old/SKILL.md', 'skills/.archive/old/a.md', 'skills/.archive/.manifests/old.json']
  expect(archiveNamesIn(backupOf(then, ['skills/.archive/big/x', 'skills/big/x']))).toEqual(['old', '.manifests', 'big'])
})
