import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHermes, runJson, skillText, temporaryHome, writeHome } from './run-hermes.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 4, 23, 12)

const ago = (days: number): string => new Date(NOW - days * DAY).toISOString()
const record = (days: number, more: object = {}) => ({
  created_by: 'agent',
  use_count: 1,
  last_used_at: ago(days),
  created_at: ago(400),
  ...more,
})

/** Five skills: one to be archived, one to turn stale, one fresh, one pinned, one owned by a person. */
const library = (): string => {
  const home = temporaryHome()
  const names = ['old', 'idle', 'fresh', 'kept', 'mine']
  writeHome(home, {
    ...Object.fromEntries(names.map((name) => [`skills/ops/${name}/SKILL.md`, skillText(name)])),
    'skills/.usage.json': JSON.stringify({
      old: record(120),
      idle: record(40),
      fresh: record(1),
      kept: record(200, { pinned: true }),
      mine: record(300, { created_by: null }),
    }),
  })
  return home
}

const curator = (home: string, args: readonly string[], now = NOW) => runHermes(['curator', ...args, '--home', home], { now, columns: 80 })
const archivedList = (home: string, now = NOW, ...more: readonly string[]) =>
  runHermes(['skills', 'list', '--state', 'archived', '--home', home, ...more], { now })

const curatorJson = (home: string, args: readonly string[], now = NOW) => runJson(['curator', ...args, '--home', home], { now })
const usageOf = (home: string) => JSON.parse(readFileSync(join(home, 'skills/.usage.json'), 'utf8'))
const isLive = (home: string, name: string): boolean => existsSync(join(home, 'skills/ops', name, 'SKILL.md'))

describe('hermes curator status', () => {
  it('shows the state on one screen, before the first run and after', async () => {
    const home = library()
    const before = await curator(home, ['status'])
    expect(before).toMatchObject({ code: 0, stderr: '' })
    expect(before.stdout).toContain('The curator is on\n  last run  never\n')
    expect(before.stdout).toContain('5 active, 0 stale, 0 archived; 4 managed, 1 not managed')
    expect(before.stdout).toMatch(/pinned {4}kept\n/)
    expect(before.stdout).toMatch(/COMING UP.*\nold +active → archived +next run +Last active/)
    expect(before.stdout).toMatch(/idle +active → stale +next run /)
    await curator(home, ['run'])
    const after = await curator(home, ['status'], NOW + 2 * DAY)
    expect(after.stdout).toMatch(/last run {2}2d ago \(2026-05-23 12:00 UTC\), took 0\.0 s, 1 run in all\n/)
    expect(after.stdout).toMatch(/report {4}logs\/curator\/20260523-120000\/REPORT\.md\n/)
    expect(after.stdout).toMatch(
      /next run {2}in 5d \(2026-05-30 12:00 UTC\), when the agent has been idle for 2h:\s+nothing\s+is\s+old\s+enough\s+to\s+change\n/,
    )
    expect(after.stdout).toMatch(/backups {3}1, the newest 2d ago/)
    expect(after.stdout).toContain('3 active, 1 stale, 1 archived; 3 managed, 1 not managed')
    expect(after.stdout).not.toContain('!')
    expect((await curatorJson(home, ['status'])).told.value).toMatchObject({ enabled: true, paused: false, runCount: 1, archivedCount: 1 })
  })

  it('tells what will turn stale soon, what came back and what was handed over', async () => {
    const home = library()
    await curator(home, ['archive', 'fresh'])
    await curator(home, ['restore', 'fresh'], NOW + 1000)
    await runHermes(['skills', 'manage', 'mine', '--allow', 'stale', '--home', home], { now: NOW })
    await curator(home, ['run'], NOW + 2000)
    await runHermes(['curator', 'pin', 'idle', '--home', home], { now: NOW })
    const { stdout } = await curator(home, ['status'], NOW + 25 * DAY)
    expect(stdout).toMatch(/restored {5}fresh\n/)
    expect(stdout).toMatch(/handed over {2}mine \(stale\)\n/)
    expect(stdout).toMatch(/mine +active → stale +(next run|14d after)/)
    const { told } = await curatorJson(home, ['status'], NOW + 25 * DAY)
    expect(told.value).toMatchObject({ misjudged: [{ name: 'fresh', misjudgements: 1 }] })
  })

  it('counts the days up to now, not up to the run that it foresees', async () => {
    const { stdout } = await curator(library(), ['status'])
    const [, when = ''] = /old +active → archived +next run +Last active on (\S+),/.exec(stdout) ?? []
    const days = Math.floor((NOW - Date.parse(`${when}T00:00:00Z`)) / DAY)
    expect(days).toBeGreaterThan(90)
    expect(stdout).toContain(`Last active on ${when}, ${days} days ago`)
    expect((await curator(library(), ['run', '--dry-run'])).stdout).toContain(`Last active on ${when}, ${days} days ago`)
  })

  it('says that the state of the schedule is damaged', async () => {
    const home = library()
    writeHome(home, { 'skills/.curator_state': 'garbage{' })
    const { code, stderr } = await curator(home, ['status'])
    expect(code).toBe(0)
    expect(stderr).toContain("'skills/.curator_state' is not a JSON object")
  })

  it('fits on 50 columns', async () => {
    const { stdout } = await runHermes(['curator', 'status', '--home', library()], { now: NOW, columns: 50 })
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(50)
  })

  it('shows what config.yaml says', async () => {
    const home = library()
    writeHome(home, {
      'config.yaml': 'curator:\n  enabled: no\n  interval_hours: 24\n  archive_after_days: never\n  backup: { enabled: off }\n',
    })
    const { stdout } = await curator(home, ['status'])
    expect(stdout).toContain('The curator is off\n')
    expect(stdout).toMatch(/next run {2}none: switched off/)
    expect(stdout).toContain('checked every 1d')
    expect(stdout).toContain('never archived')
  })
})

describe('hermes curator run', () => {
  it('tells with --dry-run what it would do, and writes nothing', async () => {
    const home = library()
    const { code, stdout } = await curator(home, ['run', '--dry-run'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/idle {3}active → stale/)
    expect(stdout).toMatch(/old {4}active → archived/)
    expect(stdout).toContain('2 skills would change; nothing was done.\nNot touched: ')
    expect(readdirSync(join(home, 'skills')).sort()).toEqual(['.usage.json', 'ops'])
    expect(isLive(home, 'old')).toBe(true)
  })

  it('does it, with a backup and a report, and tells how to undo it', async () => {
    const home = library()
    const { stdout } = await curator(home, ['run'])
    expect(stdout).toContain('2 skills changed.\n')
    expect(stdout).toMatch(/Report: logs\/curator\/20260523-120000\/REPORT\.md\nUndo: hermes curator rollback 2026-05-23T12-00-00Z\n/)
    expect(['old', 'idle', 'kept', 'mine'].map((name) => isLive(home, name))).toEqual([false, true, true, true])
    expect(usageOf(home)).toMatchObject({ old: { state: 'archived' }, idle: { state: 'stale' } })
    expect(existsSync(join(home, 'logs/curator/20260523-120000/REPORT.md'))).toBe(true)
    expect((await curator(home, ['run'], NOW + 1000)).stdout).toContain('Nothing to do: no skill is old enough')
  })

  it('ages as config.yaml says, and takes no backup if that is switched off', async () => {
    const home = library()
    writeHome(home, { 'config.yaml': 'curator:\n  stale_after_days: 300\n  archive_after_days: 100\n  backup:\n    enabled: false\n' })
    const { told } = await curatorJson(home, ['run'])
    expect(told.value).toMatchObject({ transitioned: [{ name: 'old', from: 'active', to: 'archived' }] })
    expect((await curatorJson(home, ['rollback', '--list'])).told.value).toEqual({ backups: [] })
  })

  it('is refused while the curator is switched off, a look apart', async () => {
    const home = library()
    writeHome(home, { 'config.yaml': 'curator:\n  enabled: false\n' })
    expect(await curator(home, ['run'])).toMatchObject({ code: 1, stderr: expect.stringContaining("'curator.enabled: false'") })
    expect(await curator(home, ['run', '--dry-run'])).toMatchObject({ code: 0 })
  })

  it('stops between two steps at Ctrl-C, says so, and continues the next time', async () => {
    const home = library()
    const stopped = await runHermes(['curator', 'run', '--home', home], { now: NOW, interrupt: true })
    expect(stopped).toMatchObject({ code: 130, stderr: expect.stringContaining('the next run continues') })
    await curator(home, ['run'], NOW + 1000)
    expect(usageOf(home)).toMatchObject({ old: { state: 'archived' }, idle: { state: 'stale' } })
  })
})

describe('hermes curator pause, pin and archive', () => {
  it('pauses and resumes', async () => {
    const home = library()
    expect((await curator(home, ['pause'])).stdout).toBe('The curator is paused.\nUndo: hermes curator resume\n')
    expect((await curator(home, ['pause'])).stdout).toBe('The curator was paused already.\n')
    expect((await curator(home, ['status'])).stdout).toContain("The curator is PAUSED: no scheduled runs until 'hermes curator resume'")
    expect((await curator(home, ['resume'])).stdout).toBe('The curator is resumed.\nUndo: hermes curator pause\n')
    expect((await curator(home, ['resume'])).stdout).toBe('The curator was not paused.\n')
  })

  it('pins a skill against every run, until it is unpinned', async () => {
    const home = library()
    expect((await curator(home, ['pin', 'old'])).stdout).toBe(
      'old is pinned: nothing changes it automatically.\nUndo: hermes curator unpin old\n',
    )
    await curator(home, ['run'])
    expect(isLive(home, 'old')).toBe(true)
    expect(await curator(home, ['archive', 'old'])).toMatchObject({ code: 1, stderr: expect.stringContaining('Unpin it first') })
    expect((await curator(home, ['unpin', 'old'])).stdout).toBe('old is no longer pinned.\nUndo: hermes curator pin old\n')
    await curator(home, ['run'], NOW + 1000)
    expect(isLive(home, 'old')).toBe(false)
  })

  it('puts a skill away and brings it back to its place', async () => {
    const home = library()
    expect(await curator(home, ['archive', 'fresh', '--reason', 'no longer', '--into', 'idle'])).toMatchObject({ code: 0 })
    expect(isLive(home, 'fresh')).toBe(false)
    expect((await archivedList(home)).stdout).toMatch(/fresh {2}just now {2}in idle: no longer +ops\/fresh\n/)
    expect((await curator(home, ['restore', 'fresh'])).stdout).toBe(
      'fresh is back in skills/ops/fresh.\nUndo: hermes curator archive fresh\n',
    )
    expect(isLive(home, 'fresh')).toBe(true)
    expect(usageOf(home).fresh).toMatchObject({ state: 'active', misjudgements: 1 })
    expect(await curator(home, ['restore', 'fresh'])).toMatchObject({ code: 1, stdout: '' })
  })
})

describe('hermes curator backup and rollback', () => {
  it('goes back to a backup by its day, and keeps what was there', async () => {
    const home = library()
    expect((await curator(home, ['backup', '--reason', 'before the clean-up'])).stdout).toMatch(
      /^Backup 2026-05-23T12-00-00Z: 5 skills in \d files/,
    )
    await curator(home, ['archive', 'fresh'], NOW + DAY)
    writeHome(home, { 'skills/ops/mine/SKILL.md': skillText('mine', 'Changed.'), 'skills/new/SKILL.md': skillText('new') })
    const { code, stdout } = await curator(home, ['rollback', '2026-05-23', '--yes'], NOW + 2 * DAY)
    expect(code).toBe(0)
    expect(stdout).toContain('All skills are as in 2026-05-23T12-00-00Z')
    expect(stdout).toContain('Undo: hermes curator rollback 2026-05-25T12-00-00Z\n')
    expect(isLive(home, 'fresh')).toBe(true)
    expect(readFileSync(join(home, 'skills/ops/mine/SKILL.md'), 'utf8')).toContain('How to mine.')
    expect((await archivedList(home, NOW + 2 * DAY)).stdout).toMatch(/^new /m)
    expect((await runHermes(['journal', 'list', '--home', home], { now: NOW + 2 * DAY })).stdout).toContain('roll all skills back to')
    expect((await curator(home, ['rollback', '--list'], NOW + 2 * DAY)).stdout).toMatch(/12-00-00Z +2d ago +5 .* before the clean-up\n/)
  })

  it('says what there is if the target is unknown', async () => {
    const home = library()
    await curator(home, ['backup'])
    expect(await curatorJson(home, ['rollback', '2020-01-01', '--yes'])).toMatchObject({
      code: 1,
      told: { ok: false, error: { code: 'not_found', message: expect.stringContaining('2026-05-23T12-00-00Z') } },
    })
  })
})

describe('hermes curator prune', () => {
  const pruned = async () => {
    const home = library()
    await curator(home, ['archive', 'old'], NOW - 100 * DAY)
    await curator(home, ['archive', 'idle'], NOW - 10 * DAY)
    return home
  }
  const archived = (home: string) => readdirSync(join(home, 'skills/.archive')).filter((name) => !name.startsWith('.'))

  it('deletes what has been archived for long, after a backup that brings it back', async () => {
    const home = await pruned()
    expect((await curator(home, ['prune', '--dry-run'])).stdout).toMatch(/^old /m)
    expect(archived(home).sort()).toEqual(['idle', 'old'])
    const { code, stdout, stderr } = await curator(home, ['prune', '--yes'])
    expect([code, stdout]).toEqual([
      0,
      '1 archived skill deleted.\nUndo, while the backup is kept: hermes curator rollback 2026-05-23T12-00-00Z\n',
    ])
    expect(stderr).toMatch(/^old /m)
    expect(JSON.parse((await archivedList(home, NOW, '--json')).stdout).value).toMatchObject({ archived: [{ name: 'idle' }] })
    await curator(home, ['rollback', '--yes'], NOW + 1000)
    expect(JSON.parse((await archivedList(home, NOW, '--json')).stdout).value).toMatchObject({
      archived: [{ name: 'idle' }, { name: 'old' }],
    })
  })

  it.each([['prune'], ['prune', '--json'], ['rollback']])('asks before %s %s, and does nothing if nobody can answer', async (...words) => {
    const home = await pruned()
    await curator(home, ['backup'])
    const before = readdirSync(join(home, 'curator/backups'))
    const { code, stdout, stderr } = await curator(
      home,
      words.filter((word) => word !== undefined),
    )
    expect(code).toBe(1)
    expect(stdout + stderr).toContain('Use --yes to confirm')
    expect(archived(home).sort()).toEqual(['idle', 'old'])
    expect(readdirSync(join(home, 'curator/backups'))).toEqual(before)
  })

  it('counts the days it is told', async () => {
    const home = await pruned()
    expect((await curator(home, ['prune', '--days', '365', '--yes'])).stdout).toBe(
      'Nothing has been in the archive for 365 days or more.\n',
    )
    expect((await curatorJson(home, ['prune', '--days', '5', '--yes'])).told.value).toMatchObject({
      removed: [{ name: 'idle' }, { name: 'old' }],
    })
    expect(await curator(home, ['prune', '--days', 'x'])).toMatchObject({ code: 2 })
    expect(await curator(home, ['prune', '--days', '0', '--yes'])).toMatchObject({ code: 2 })
  })
})
