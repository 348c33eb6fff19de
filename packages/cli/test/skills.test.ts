import { describe, expect, it } from 'vitest'
import { runHermes, runJson, skillText, temporaryHome, writeHome } from './run-hermes.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 4, 23, 12)

const ago = (days: number): string => new Date(NOW - days * DAY).toISOString()

const library = (): string => {
  const home = temporaryHome()
  writeHome(home, {
    'skills/devops/deploy/SKILL.md': skillText('deploy', 'How to deploy to staging, with every check that has ever been forgotten.'),
    'skills/devops/deploy/references/api.md': '# API\n',
    'skills/devops/deploy/assets/logo.png': '\u0000',
    'skills/split-bills/SKILL.md': skillText('split-bills'),
    'skills/translate/SKILL.md': skillText('翻译文档'),
    'skills/broken/SKILL.md': 'no front matter\n',
    'skills/.usage.json': JSON.stringify({
      deploy: {
        created_by: 'agent',
        use_count: 12,
        view_count: 14,
        patch_count: 2,
        last_used_at: ago(3),
        created_at: ago(400),
        pinned: true,
        created_by_model: 'small-1',
        patched_by_model: 'large-1',
        success_count: 9,
        correction_count: 1,
      },
      'split-bills': { created_by: null, use_count: 1, last_used_at: ago(70), state: 'stale' },
    }),
  })
  return home
}

describe('hermes skills list', () => {
  it.each([[['list']], [['list', '--counts']]])('shows names whole on a narrow screen, so that they can be copied: %j', async (verb) => {
    const home = temporaryHome()
    const name = 'refactor-python-package-layout'
    writeHome(home, { [`skills/operations/${name}/SKILL.md`]: skillText(name) })
    const { stdout } = await runHermes(['skills', ...verb, '--home', home], { now: NOW, columns: 50 })
    expect(stdout).toContain(`${name} `)
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(50)
  })

  it('shows state, use and owner in columns', async () => {
    const { code, stdout } = await runHermes(['skills', 'list', '--home', library()], { now: NOW, columns: 100 })
    expect(code).toBe(0)
    expect(stdout.split('\n')).toEqual([
      'NAME         CATEGORY  STATE           USES  ACTIVE   BY     DESCRIPTION',
      'broken                 active             0  never    you    no front matter',
      'deploy       devops    active, pinned    12  3d ago   agent  How to deploy to staging, with every c…',
      'split-bills            stale              1  2mo ago  you    How to split-bills.',
      '翻译文档               active             0  never    you    How to 翻译文档.',
      '4 skills: 3 active, 1 stale, 1 pinned.',
      '',
    ])
  })

  it('finds skills by words, sorts them, and lists those in the archive', async () => {
    const home = library()
    const names = async (...args: readonly string[]) => {
      const { told } = await runJson(['skills', 'list', ...args, '--home', home], { now: NOW })
      const { skills = [], archived = [] } = told.value as Record<string, readonly { readonly name: string }[]>
      return [...skills, ...archived].map(({ name }) => name)
    }
    expect(await names('how', 'STAGING')).toEqual(['deploy'])
    expect(await names('--sort', 'uses')).toEqual(['deploy', 'split-bills', 'broken', '翻译文档'])
    expect(await names('--sort', 'recent')).toEqual(['deploy', 'split-bills', 'broken', '翻译文档'])
    expect(await names('--state', 'archived')).toEqual([])
    await runHermes(['curator', 'archive', 'split-bills', '--home', home], { now: NOW })
    expect(await names('--state', 'archived')).toEqual(['split-bills'])
    expect(await names('--state', 'archived', 'deploy')).toEqual([])
    expect((await runHermes(['skills', 'list', '--state', 'archived', '--home', home], { now: NOW })).stdout).toMatch(
      /^split-bills .+\n1 archived skill\./m,
    )
  })

  it('names the skill that was probably meant', async () => {
    for (const words of [
      ['skills', 'show', 'depoly'],
      ['curator', 'pin', 'depoly'],
      ['curator', 'archive', 'depoly'],
    ]) {
      const { code, told } = await runJson([...words, '--home', library()])
      expect([words, code, told.error]).toEqual([
        words,
        1,
        expect.objectContaining({ message: "There is no skill 'depoly'. Did you mean 'deploy'? 'hermes skills list' lists them." }),
      ])
    }
  })

  it.each([80, 60, 50, 40])('fits on %i columns', async (columns) => {
    const { stdout } = await runHermes(['skills', 'list', '--home', library()], { columns })
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
    expect(stdout).toContain('split-bills')
  })

  it.each([{}, { COLUMNS: '30' }])('cuts nothing in a pipe, with %j in the environment', async (env) => {
    const { stdout } = await runHermes(['skills', 'list', '--home', library()], { env })
    expect(stdout).toContain('with every check that has ever been forgotten.')
  })

  it('filters by state and category', async () => {
    const home = library()
    const names = async (...args: readonly string[]) => {
      const { told } = await runJson(['skills', 'list', '--home', home, ...args])
      const { skills } = told.value as { readonly skills: readonly { readonly name: string }[] }
      return skills.map(({ name }) => name)
    }
    expect(await names('--state', 'stale')).toEqual(['split-bills'])
    expect(await names('--category', 'devops')).toEqual(['deploy'])
    expect(await names('--category', 'dev')).toEqual([])
  })

  it('gives programs everything', async () => {
    const { told } = await runJson(['skills', 'list', '--category', 'devops', '--home', library()])
    expect(told.value).toMatchObject({
      skills: [
        { name: 'deploy', path: 'devops/deploy', state: 'active', pinned: true, owner: 'agent', useCount: 12, lastUsedAt: NOW - 3 * DAY },
      ],
      archivedCount: 0,
    })
  })
})

describe('hermes skills list --counts', () => {
  it.each([
    ['uses', ['deploy', 'split-bills', 'broken']],
    ['name', ['broken', 'deploy', 'split-bills']],
  ])('sorts by %s', async (sort, expected) => {
    const { stdout } = await runHermes(['skills', 'list', '--counts', '--sort', sort, '--home', library()], { now: NOW })
    expect(
      stdout
        .split('\n')
        .slice(1, 4)
        .map((line) => line.split(' ')[0]),
    ).toEqual(expected)
  })

  it('reads a corrupt sidecar as empty, and says so', async () => {
    const home = library()
    writeHome(home, { 'skills/.usage.json': '{"deploy": ' })
    const { code, stdout, stderr } = await runHermes(['skills', 'list', '--counts', '--home', home])
    expect(code).toBe(0)
    expect(stdout).toMatch(/deploy +0 +0/)
    expect(stderr).toContain("'skills/.usage.json' is not JSON")
  })
})

describe('hermes skills show', () => {
  it('shows what is known and the text, and counts no use', async () => {
    const home = library()
    const { stdout } = await runHermes(['skills', 'show', 'deploy', '--home', home], { now: NOW, columns: 80 })
    expect(stdout).toContain('deploy  active, pinned\n')
    expect(stdout).toMatch(/used {6}12 times, last 3d ago\n/)
    expect(stdout).toContain('outcome   9 turns ended well after loading it, 1 correction\n')
    expect(stdout).toContain('model     written by small-1, last changed by large-1\n')
    expect(stdout).toContain('references/api.md')
    expect(stdout).toContain('# deploy\n\nDo it.\n')
    const { told } = await runJson(['skills', 'show', 'deploy', '--home', home])
    expect(told.value).toMatchObject({ useCount: 12, viewCount: 14, content: expect.stringContaining('Do it.') })
  })

  it('shows one of its files, if it is text', async () => {
    const home = library()
    expect((await runHermes(['skills', 'show', 'deploy', 'references/api.md', '--home', home])).stdout).toBe('# API\n')
    expect(await runHermes(['skills', 'show', 'deploy', '../../../x', '--home', home])).toMatchObject({ code: 1, stdout: '' })
    expect(await runHermes(['skills', 'show', 'deploy', 'references/none.md', '--home', home])).toMatchObject({ code: 1, stdout: '' })
  })

  it('refuses an unknown name', async () => {
    expect(await runJson(['skills', 'show', 'nope', '--home', library()])).toMatchObject({
      code: 1,
      told: { ok: false, error: { code: 'not_found' } },
    })
  })
})

describe('hermes skills manage', () => {
  it('hands over, lists and takes back', async () => {
    const home = library()
    const run = (...args: readonly string[]) => runHermes(['skills', ...args, '--home', home], { now: NOW, columns: 80 })
    expect((await run('manage', 'split-bills', '--allow', 'stale', 'archive', '--until', '2026-06-23')).stdout).toBe(
      'The curator may now manage split-bills (stale, archive) until 2026-06-23 00:00\nUTC.\n',
    )
    expect((await run('manage')).stdout).toMatch(/split-bills {2}stale, archive {2}in 1mo {2}just now\n/)
    expect((await runHermes(['skills', 'list', '--home', home], { now: NOW })).stdout).toMatch(/you, managed/)
    expect(await run('unmanage', 'split-bills')).toMatchObject({
      code: 0,
      stdout: 'Taken back: split-bills.\nUndo: hermes skills manage split-bills\n',
    })
    expect(await run('unmanage', 'split-bills')).toMatchObject({ code: 1 })
    expect((await run('manage')).stdout).toContain('No skills are handed over')
  })

  it('warns of a name that no skill has', async () => {
    const { code, stderr } = await runHermes(['skills', 'manage', 'split-bill', '--home', library()], { now: NOW })
    expect([code, stderr]).toEqual([
      0,
      "warning: There is no skill 'split-bill' yet. If the name is misspelt, take it back: hermes skills unmanage split-bill\n",
    ])
  })

  it.each([
    [['manage', 'a', '--all']],
    [['manage', '--until', 'soon']],
    [['manage', '--allow', 'stale']],
    [['manage', 'a', '--allow', 'delete']],
    [['unmanage']],
  ])('calls %j wrong usage', async (args) => {
    expect(await runHermes(['skills', ...args, '--home', library()])).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('shared skills', () => {
  const withShared = () => {
    const team = temporaryHome()
    writeHome(team, {
      'ops/deploy/SKILL.md': skillText('deploy', 'The way of the team.'),
      'ops/rollout/SKILL.md': skillText('rollout', 'Roll it out.'),
      'ops/rollout/references/api.md': '# Team API\n',
    })
    const home = library()
    writeHome(home, { 'config.yaml': `skills:\n  shared:\n    - ${team}\n`, 'skills/broken/SKILL.md': skillText('broken') })
    return { home, team }
  }

  it('are listed with those of the home, marked, and hidden by a skill of the same name', async () => {
    const { home } = withShared()
    const { code, stdout, stderr } = await runHermes(['skills', 'list', '--home', home], { now: NOW, columns: 100 })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/rollout +ops +read-only +shared +Roll it out\./)
    expect(stdout).not.toContain('The way of the team')
    expect(stdout).toContain('5 skills: 3 active, 1 stale, 1 pinned, 1 shared.')
    const active = await runHermes(['skills', 'list', '--state', 'active', '--home', home], { now: NOW, columns: 100 })
    expect(active.stdout).not.toContain('rollout')
    const { told } = await runJson(['skills', 'list', '--category', 'ops', '--home', home])
    expect(told.value).toMatchObject({ skills: [{ name: 'rollout', owner: 'shared', useCount: 0 }] })
  })

  it('are shown with the folder they are in, and without counts', async () => {
    const { home, team } = withShared()
    const { code, stdout } = await runHermes(['skills', 'show', 'rollout', '--home', home], { now: NOW, columns: 200 })
    expect(code).toBe(0)
    expect(stdout).toContain(`${team}/ops/rollout`)
    expect(stdout).toMatch(/by +shared/)
    expect(stdout).not.toMatch(/used|viewed|changed/)
    const file = await runHermes(['skills', 'show', 'rollout', 'references/api.md', '--home', home])
    expect(file.stdout).toBe('# Team API\n')
  })

  it('have no place in the counts of use', async () => {
    const { home } = withShared()
    const { stdout } = await runHermes(['skills', 'list', '--counts', '--home', home], { now: NOW, columns: 100 })
    expect(stdout).not.toContain('rollout')
  })

  it('of a folder that is missing are a warning, and a relative folder starts from the home', async () => {
    const home = library()
    writeHome(home, { 'config.yaml': 'skills:\n  shared: [gone, ./team]\n', 'team/rollout/SKILL.md': skillText('rollout') })
    const { code, stdout, stderr } = await runHermes(['skills', 'list', '--home', home], { now: NOW, columns: 100 })
    expect(code).toBe(0)
    expect(stdout).toContain('rollout')
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      `skills.shared[0] cannot be read, so they are left out: There is no folder at '${home}/gone'`,
    )
  })

  it('that are written wrongly in config.yaml are warned of with its line', async () => {
    const home = library()
    writeHome(home, { 'config.yaml': 'skills:\n  shared: 5\n' })
    const { code, stderr } = await runHermes(['skills', 'list', '--home', home])
    expect(code).toBe(0)
    expect(stderr.replace(/\s+/g, ' ')).toContain("config.yaml, line 2: 'skills.shared' must be a list of folders, but is 5")
  })
})
