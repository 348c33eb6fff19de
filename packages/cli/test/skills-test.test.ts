import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type ChatRequest, openServer } from './openai-server.ts'
import { runHermes, runJson, temporaryHome } from './run-hermes.ts'

const skillWith = (files: Readonly<Record<string, unknown>>): string => {
  const home = temporaryHome()
  const folder = join(home, 'skills/deploy')
  mkdirSync(join(folder, 'checks'), { recursive: true })
  writeFileSync(join(folder, 'SKILL.md'), '---\nname: deploy\ndescription: How to deploy.\n---\n\n1. `make release`\n')
  for (const [path, content] of Object.entries(files))
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
  return home
}

const CHECK = { task: 'Deploy billing.', holds: ['make release'], never: ['--force'] }

/** Knows the command only from the skill. */
const answer = ({ messages }: ChatRequest): string =>
  JSON.stringify({ answer: JSON.stringify(messages).includes('make release') ? 'Run make release.' : 'Use --force.' })

describe('hermes skills test', () => {
  it('shows what passes with the skill and without it, and who wrote the checks', async () => {
    const { url, requests } = await openServer(answer)
    const home = skillWith({ 'checks/billing.json': CHECK, 'checks/broken.json': '{' })
    const env = { OPENAI_BASE_URL: url, OPENAI_MODEL: 'm', COLUMNS: '100' }
    const { code, stdout, stderr } = await runHermes(['skills', 'test', 'deploy', '--runs', '2', '--price', '3000/15000', '--home', home], {
      env,
    })
    expect(code).toBe(0)
    expect(stderr).toContain("The check 'checks/broken.json' is not played")
    expect(stdout).toContain(`Played 1 check 2 times with m at ${url}, 80 tokens, about $0.`)
    expect(stdout).toMatch(/checks\/billing\.json +not known +0 of 2 +2 of 2/)
    expect(stdout).toContain('Passed without the skill: 0% (0% to 0%); with it: 100% (100% to 100%).')
    expect(requests).toHaveLength(4)
    const { told } = await runJson(['skills', 'test', 'deploy', '--home', home], { env })
    expect(told.value).toMatchObject({ checks: [{ path: 'checks/billing.json', by: 'not known', without: 0, with: 1, runs: 1 }] })
  })

  it.each([
    ['a skill without checks', {}, [], /has no check to play\. Add one as 'checks\/<name>\.json'/],
    ['only a broken check', { 'checks/a.json': { task: 'a', holds: ['x'], never: ['x'] } }, [], /both expects and forbids 'x'/],
    ['too few tokens', { 'checks/a.json': CHECK }, ['--max-tokens', '1000'], /may cost 1,000 tokens\. Raise --max-tokens\./],
    ['another name', {}, ['--name'], /There is no skill 'absent'/],
  ])('says what is wrong with %s', async (_, files, more, message) => {
    const { url } = await openServer(answer)
    const home = skillWith(files)
    const isAbsent = more[0] === '--name'
    const args = ['skills', 'test', isAbsent ? 'absent' : 'deploy', ...(isAbsent ? [] : more), '--home', home]
    const { code, stderr } = await runHermes(args, { env: { OPENAI_BASE_URL: url, OPENAI_MODEL: 'm' } })
    expect(code).toBe(1)
    expect(stderr).toMatch(message)
  })
})
