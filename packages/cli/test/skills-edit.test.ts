import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHermes, runJson, skillText, temporaryHome, writeHome } from './run-hermes.ts'

/** Its editor puts this text in the place of what it opens, and keeps what it found in `seen`. */
const withEditor = (text: string | undefined, skills: Readonly<Record<string, string>> = {}) => {
  const [home, tools] = [temporaryHome(), temporaryHome()]
  writeHome(home, Object.fromEntries(Object.entries(skills).map(([name, content]) => [`skills/${name}/SKILL.md`, content])))
  const seen = join(tools, 'seen')
  const steps = [`cp "$1" '${seen}'`, `stat -c %a "$1" > '${seen}-mode' 2>/dev/null`]
  if (text !== undefined) {
    writeFileSync(join(tools, 'text'), text)
    steps.push(`cat '${join(tools, 'text')}' > "$1"`)
  }
  writeFileSync(join(tools, 'editor.sh'), `${steps.join('\n')}\nexit 0\n`)
  const env = { PATH: process.env['PATH'] ?? '', EDITOR: `sh '${join(tools, 'editor.sh')}'` }
  const onSkills = (...args: readonly string[]) => runHermes(['skills', ...args, '--home', home], { env })
  return {
    home,
    skills: onSkills,
    seen: () => readFileSync(seen, 'utf8'),
    env,
    file: (name: string) => join(home, `skills/${name}/SKILL.md`),
  }
}

/** The kept file that an error names; removed. */
const takeKept = (stderr: string): string => {
  const [, path = ''] = /Your text is kept in (\S+?)\.? /.exec(`${stderr.replace(/\s+/g, ' ')} `) ?? []
  const text = readFileSync(path, 'utf8')
  expect(statSync(path).mode & 0o077).toBe(0)
  rmSync(dirname(path), { recursive: true })
  return text
}

describe('hermes skills edit', () => {
  it('opens the editor with the text, writes what it leaves, and undo takes it back', async () => {
    const changed = skillText('deploy', 'Another way.')
    const { home, skills, seen, file } = withEditor(changed, { deploy: skillText('deploy') })
    expect(await skills('edit', 'deploy')).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('deploy is changed.\n') })
    expect([seen(), readFileSync(file('deploy'), 'utf8')]).toEqual([skillText('deploy'), changed])
    const { told } = await runJson(['journal', 'list', '--home', home])
    expect(told.value).toMatchObject({
      records: [{ actor: 'person', op: { action: 'edit', name: 'deploy' }, previous: [skillText('deploy')] }],
    })
    expect(await runHermes(['undo', '--yes', '--home', home])).toMatchObject({ code: 0 })
    expect(readFileSync(file('deploy'), 'utf8')).toBe(skillText('deploy'))
  })

  it('writes nothing if the text was left as it was', async () => {
    const { home, skills } = withEditor(undefined, { deploy: skillText('deploy') })
    expect(await skills('edit', 'deploy')).toMatchObject({ code: 0, stdout: 'Nothing was changed.\n' })
    expect(existsSync(join(home, 'journal'))).toBe(false)
  })

  it.each([
    ['is not a skill', 'No front matter.\n', 'front matter'],
    ['holds a key', skillText('deploy', 'Use sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7'), ''],
  ])('keeps the text and the skill if the text %s, and takes it corrected from its file', async (_what, text, why) => {
    const { skills, file } = withEditor(text, { deploy: skillText('deploy') })
    const refused = await skills('edit', 'deploy')
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toContain(why)
    expect(refused.stderr.replace(/\s+/g, ' ')).toMatch(/then: hermes skills edit deploy --from \S+SKILL\.md/)
    expect(takeKept(refused.stderr)).toBe(text)
    expect(readFileSync(file('deploy'), 'utf8')).toBe(skillText('deploy'))
    const corrected = join(temporaryHome(), 'SKILL.md')
    writeFileSync(corrected, skillText('deploy', 'Corrected.'))
    expect(await skills('edit', 'deploy', '--from', corrected)).toMatchObject({ code: 0 })
    expect([readFileSync(file('deploy'), 'utf8'), existsSync(corrected)]).toEqual([skillText('deploy', 'Corrected.'), true])
  })

  it('overwrites no change that was made while the editor was open', async () => {
    const { skills, file, env } = withEditor(undefined, { deploy: skillText('deploy') })
    const tools = temporaryHome()
    writeFileSync(join(tools, 'editor.sh'), `echo 'Mine.' >> "$1"\necho 'Of somebody else.' >> '${file('deploy')}'\n`)
    const refused = await runHermes(['skills', 'edit', 'deploy', '--home', dirname(dirname(dirname(file('deploy'))))], {
      env: { ...env, VISUAL: `sh ${join(tools, 'editor.sh')}` },
    })
    expect(refused.code).toBe(1)
    expect(takeKept(refused.stderr)).toBe(`${skillText('deploy')}Mine.\n`)
    expect(readFileSync(file('deploy'), 'utf8')).toBe(`${skillText('deploy')}Of somebody else.\n`)
    expect((await skills('edit', 'deploy')).code).toBe(0)
  })

  it('says so if the editor fails or there is none, and for a name that is not there', async () => {
    const { home, skills, env } = withEditor(undefined, { deploy: skillText('deploy') })
    const edit = (own: Readonly<Record<string, string>>) =>
      runHermes(['skills', 'edit', 'deploy', '--home', home], { env: { PATH: env.PATH, ...own } })
    expect(await edit({ EDITOR: 'exit 3 #' })).toMatchObject({ code: 1, stderr: expect.stringContaining('code 3') })
    expect(await edit({})).toMatchObject({ code: 1, stderr: expect.stringContaining('set EDITOR') })
    expect(await skills('edit', 'deploi')).toMatchObject({ code: 1, stderr: expect.stringContaining("Did you mean 'deploy'") })
    expect(await skills('edit', 'deploy', '--from', join(home, 'none'))).toMatchObject({ code: 1, stderr: expect.stringContaining('none') })
  })
})

describe('hermes skills new', () => {
  it('opens a template and creates what the editor leaves, as the person’s own', async () => {
    const { home, skills, seen, file } = withEditor(skillText('deploy'))
    expect(await skills('new', 'deploy')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('created in skills/deploy.\n'),
    })
    expect(seen()).toMatch(/^---\nname: deploy\ndescription: /)
    expect(readFileSync(file('deploy'), 'utf8')).toBe(skillText('deploy'))
    expect((await runJson(['skills', 'list', '--home', home])).told.value).toMatchObject({ skills: [{ name: 'deploy', owner: 'user' }] })
  })

  it('creates it in a category, from a file', async () => {
    const { home, skills } = withEditor(undefined)
    const source = join(temporaryHome(), 'a.md')
    writeFileSync(source, skillText('deploy'))
    expect(await skills('new', 'deploy', '--category', 'devops', '--from', source)).toMatchObject({ code: 0 })
    expect(readdirSync(join(home, 'skills/devops/deploy'))).toEqual(['SKILL.md'])
  })

  it('creates nothing from the bare template, and keeps a text that is refused', async () => {
    const bare = withEditor(undefined)
    expect(await bare.skills('new', 'deploy')).toMatchObject({ code: 1, stdout: '', stderr: expect.not.stringContaining('error') })
    const wrong = withEditor('No front matter.\n')
    const refused = await wrong.skills('new', 'deploy')
    expect([refused.code, takeKept(refused.stderr)]).toEqual([1, 'No front matter.\n'])
    for (const { file } of [bare, wrong]) expect(existsSync(file('deploy'))).toBe(false)
  })

  it('opens no editor for a name that is taken or not valid', async () => {
    const { skills, seen } = withEditor(skillText('deploy'), { deploy: skillText('deploy', 'My own.') })
    for (const name of ['deploy', 'No Name', '../up']) expect((await skills('new', name)).code).toBe(1)
    expect((await skills('new', 'deploy')).stderr).toContain("'hermes skills edit deploy' changes it.")
    expect(seen).toThrow('ENOENT')
  })
})
