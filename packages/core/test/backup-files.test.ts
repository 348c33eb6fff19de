/** Backups and rollbacks on real files: the files they write, and contents that only a library on disk can have. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { manualClock } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { listBackups } from '../src/curator/backups.ts'
import { SkillStore } from '../src/skills/skill-store.ts'
import { fileSystemBackend } from '../src/storage/files/file-backend.ts'
import { temporaryFolder } from './storage/support/temporary-home.ts'
import { createSkillBackup, curate, openCurator, rollback } from './support/open-curator.ts'
import { remove, skillText, textAt, unwrap, write } from './support/skill-library.ts'

const open = () => {
  const home = temporaryFolder()
  const clock = manualClock(Date.UTC(2026, 4, 16, 10))
  const storage = fileSystemBackend(home)
  const backUp = async () => unwrap(await createSkillBackup({ storage, clock, reason: 'manual' }))
  const goBack = async (target?: string) => {
    clock.advance(60_000)
    return unwrap(await rollback({ storage, clock, target }))
  }
  return { home, clock, storage, backUp, goBack }
}

const LIBRARY = {
  'skills/deploy/SKILL.md': skillText('deploy'),
  'skills/deploy/scripts/run.sh': 'echo run',
  'skills/ops/ünï-コード/SKILL.md': skillText('ünï-コード'),
  [`skills/${'long-'.repeat(30)}/${'longer-'.repeat(30)}/SKILL.md`]: skillText('long'),
}

describe('a backup on the disk', () => {
  it('can be unpacked in the home by any tar, and is for the owner alone', async () => {
    const { home, storage, backUp } = open()
    await write(storage, LIBRARY)
    const { archive } = await backUp()
    const file = join(home, archive)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(file.replace('.tar.gz', '.json')).mode & 0o777).toBe(0o600)
    const elsewhere = temporaryFolder()
    execFileSync('tar', ['xzf', file, '-C', elsewhere])
    for (const [path, text] of Object.entries(LIBRARY)) expect(readFileSync(join(elsewhere, path), 'utf8')).toBe(text)
    expect(statSync(join(elsewhere, 'skills/deploy/SKILL.md')).mode & 0o777).toBe(0o600)
  })

  it('brings a script back that its owner can run, also after a patch, and never opens it to others', async () => {
    const { home, clock, storage, backUp, goBack } = open()
    await write(storage, LIBRARY)
    const script = join(home, 'skills/deploy/scripts/run.sh')
    chmodSync(script, 0o755)
    await backUp()
    rmSync(script)
    await goBack()
    expect(statSync(script).mode & 0o777).toBe(0o700)
    const patch = { oldText: 'echo run', newText: 'echo walk', filePath: 'scripts/run.sh' }
    unwrap(await new SkillStore({ storage, clock }).patch('deploy', patch))
    expect(readFileSync(script, 'utf8')).toBe('echo walk')
    expect(statSync(script).mode & 0o777).toBe(0o700)
    expect(execFileSync('sh', ['-c', `"${script}"`], { encoding: 'utf8' })).toBe('walk\n')
  })
})

describe('files whose names no document may have', () => {
  const withUnnamed = async () => {
    const world = open()
    await write(world.storage, { 'skills/deploy/SKILL.md': skillText('deploy'), 'skills/deploy/scripts/run.sh': 'echo run' })
    writeFileSync(join(world.home, 'skills/deploy/scripts/a\\b.sh'), 'kept')
    mkdirSync(join(world.home, 'skills/two\nlines'))
    return world
  }

  it('are named by the backup that goes without them', async () => {
    const { backUp } = await withUnnamed()
    const { files, leftOut } = await backUp()
    expect(files).toHaveLength(2)
    expect(leftOut).toEqual([
      { path: 'skills/deploy/scripts/a%5Cb.sh', size: 0, why: 'unusable name' },
      { path: 'skills/two%0Alines', size: 0, why: 'unusable name' },
    ])
  })

  it('are reported to the run that takes the backup, and stay unchanged in a rollback', async () => {
    const { home, storage, clock, goBack } = await withUnnamed()
    const ageing = { neverActive: 'from-creation' } as const
    await write(storage, {
      'skills/.usage.json': JSON.stringify({ deploy: { created_by: 'agent', state: 'active', created_at: '2026-04-01T00:00:00Z' } }),
    })
    const { problems } = unwrap(await curate({ storage, clock, ...ageing }))
    expect(problems).toMatchObject([
      {
        code: 'unreadable',
        message: expect.stringMatching(/does not contain 2 files: 'skills\/deploy\/scripts\/a%5Cb\.sh' \(unusable name\)/),
      },
    ])
    await remove(storage, 'skills/deploy/scripts/run.sh')
    expect((await goBack()).problems).toEqual([])
    expect(await textAt(storage, 'skills/deploy/scripts/run.sh')).toBe('echo run')
    expect(readFileSync(join(home, 'skills/deploy/scripts/a\\b.sh'), 'utf8')).toBe('kept')
  })

  it('keep an archived skill from being pruned, as nothing could bring them back', async () => {
    const { home, storage, clock } = await withUnnamed()
    const skills = new SkillStore({ storage, clock })
    unwrap(await skills.archive('deploy', { reason: 'old' }))
    const { entries } = unwrap(await skills.listArchived())
    const pruned = await openCurator({ storage, clock }).prune(entries)
    expect(pruned).toMatchObject({ ok: false, error: { code: 'unreadable', details: { path: 'skills/.archive/deploy/scripts/a%5Cb.sh' } } })
    expect(readFileSync(join(home, 'skills/.archive/deploy/scripts/a\\b.sh'), 'utf8')).toBe('kept')
  })
})

describe('a library with links', () => {
  it('is backed up and rolled back also if a skill is a link to outside, which stays as it is', async () => {
    const { home, storage, backUp, goBack } = open()
    const outside = temporaryFolder()
    writeFileSync(join(outside, 'SKILL.md'), skillText('outside'))
    await write(storage, LIBRARY)
    symlinkSync(outside, join(home, 'skills/linked'))
    const { files } = await backUp()
    expect(files.map(({ path }) => path)).not.toContain('skills/linked/SKILL.md')
    await write(storage, { 'skills/deploy/SKILL.md': skillText('deploy', 'Worse.') })
    await goBack()
    expect(await textAt(storage, 'skills/deploy/SKILL.md')).toBe(skillText('deploy'))
    expect(readFileSync(join(outside, 'SKILL.md'), 'utf8')).toBe(skillText('outside'))
  })

  it('leaves a skill that is linked now where it is, and says so, instead of stopping half-way', async () => {
    const { home, storage, backUp, goBack } = open()
    await write(storage, LIBRARY)
    await backUp()
    mkdirSync(join(home, 'elsewhere'))
    writeFileSync(join(home, 'elsewhere/SKILL.md'), skillText('linked'))
    symlinkSync(join(home, 'elsewhere'), join(home, 'skills/linked'))
    await write(storage, { 'skills/deploy/SKILL.md': skillText('deploy', 'Worse.') })
    const { problems } = await goBack()
    expect(problems).toMatchObject([{ code: 'invalid_path' }])
    expect(await textAt(storage, 'skills/deploy/SKILL.md')).toBe(skillText('deploy'))
    expect(await textAt(storage, 'skills/linked/SKILL.md')).toBe(skillText('linked'))
  })
})

describe('a home of Python Hermes', () => {
  it('keeps the snapshots of Python, which are not taken for ours', async () => {
    const { home, storage, backUp, goBack } = open()
    const theirs = join(home, 'skills/.curator_backups/2026-05-01T00-00-00Z')
    mkdirSync(theirs, { recursive: true })
    writeFileSync(join(theirs, 'skills.tar.gz'), 'theirs')
    writeFileSync(join(home, 'skills/.usage.json.lock'), '')
    await write(storage, LIBRARY)
    const { files } = await backUp()
    expect(files.map(({ path }) => path).sort()).toEqual(Object.keys(LIBRARY).sort())
    await goBack()
    expect(unwrap(await listBackups(storage)).backups.map(({ reason }) => reason)).toEqual([
      'pre-rollback to 2026-05-16T10-00-00Z',
      'manual',
    ])
    expect(readFileSync(join(theirs, 'skills.tar.gz'), 'utf8')).toBe('theirs')
  })
})
