/** What `hermes memory` shows of entries that hold for a time, and of the notes that a team shares. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHermes, runJson, temporaryHome } from './run-hermes.ts'

describe('hermes memory, of an entry that holds for a time', () => {
  it('adds it with its days, shows them, and says why', async () => {
    const home = temporaryHome()
    const add = ['memory', 'add', '--to', 'user', '--from', '2998-01-01', '--until', '2999-12-04', 'In Lisbon until Friday', '--home', home]
    expect(await runHermes(add)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('It is shown from 2998-01-01 until 2999-12-04.'),
    })
    expect(readFileSync(join(home, 'memories/USER.md'), 'utf8')).toBe('In Lisbon until Friday')
    expect((await runHermes(['memory', 'show', '--home', home])).stdout).toMatch(
      /In Lisbon until Friday\n +from 2998-01-01 until 2999-12-04\n/,
    )
    const { told } = await runJson(['memory', 'why', 'Lisbon', '--home', home])
    expect(told.value).toMatchObject({
      entries: [{ from: '2998-01-01', until: '2999-12-04' }],
      records: [{ op: { from: '2998-01-01', until: '2999-12-04' } }],
    })
    expect((await runHermes(['memory', 'why', 'Lisbon', '--home', home])).stdout).toMatch(/shown +from 2998-01-01 until 2999-12-04\n/)
    expect((await runHermes(['timeline', '--home', home])).stdout).toContain('In Lisbon until Friday (from 2998-01-01 until 2999-12-04)')
    expect(await runHermes(['memory', 'replace', 'Lisbon', 'In Oslo', '--until', '2999-12-31', '--home', home])).toMatchObject({ code: 0 })
    expect((await runHermes(['memory', 'show', '--home', home])).stdout).toMatch(/In Oslo\n +until 2999-12-31\n/)
  })

  it.each([
    ['2001-01-01', "'until' is 2001-01-01, and today is "],
    ['2999-02-31', 'is no day of the calendar'],
    ['Friday', 'Give a day as YYYY-MM-DD'],
  ])('refuses %s with what to do', async (until, message) => {
    const home = temporaryHome()
    const { code, stderr } = await runHermes(['memory', 'add', '--until', until, 'In Lisbon', '--home', home])
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(message) })
    expect((await runHermes(['memory', 'show', '--home', home])).stdout).not.toContain('Lisbon')
  })
})

describe('hermes memory, of the notes of a team', () => {
  const homeWithTeam = () => {
    const home = temporaryHome()
    mkdirSync(join(home, 'team'), { recursive: true })
    writeFileSync(join(home, 'team/MEMORY.md'), 'Deploys run on Tuesdays')
    writeFileSync(join(home, 'config.yaml'), 'memory:\n  shared:\n    - team\n')
    return home
  }

  it('shows and explains them as the team’s, and changes none', async () => {
    const home = homeWithTeam()
    expect((await runHermes(['memory', 'show', '--home', home])).stdout).toMatch(
      /TEAM {2}notes that your team shares, read only\n {2}- Deploys run on Tuesdays\n/,
    )
    expect((await runJson(['memory', 'show', '--home', home])).told.value).toMatchObject({
      shared: [{ content: 'Deploys run on Tuesdays', sharedFrom: 0 }],
    })
    const why = await runHermes(['memory', 'why', 'Tuesdays', '--home', home])
    expect(why).toMatchObject({ code: 0, stderr: '' })
    expect(why.stdout).toMatch(/Shared by your team\n +entry +Deploys run on Tuesdays\n/)
    expect(await runHermes(['memory', 'remove', 'Tuesdays', '--home', home])).toMatchObject({ code: 1 })
    expect(readFileSync(join(home, 'team/MEMORY.md'), 'utf8')).toBe('Deploys run on Tuesdays')
  })

  it('warns of a folder that is not there, with its line in config.yaml', async () => {
    const home = homeWithTeam()
    writeFileSync(join(home, 'config.yaml'), 'memory:\n  shared:\n    - nowhere\n')
    expect(await runHermes(['memory', 'show', '--home', home])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('memory.shared[0]'),
    })
    expect((await runHermes(['config', 'check', '--home', home])).stdout).toMatch(/3.*memory\.shared\[0\].*cannot be read/)
  })
})
