import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { judgeAnswer, parseSkillCheck, readSkillChecks } from './skill-check.ts'

const PATH = 'checks/deploy.json'
const parse = (check: unknown) => parseSkillCheck(PATH, typeof check === 'string' ? check : JSON.stringify(check))

describe('parseSkillCheck', () => {
  it('reads the check of docs/skills.md: a task with what its answer holds, in alternatives, and never holds', () => {
    const page = readFileSync(new URL('../../../../../docs/skills.md', import.meta.url), 'utf8')
    const [, example = ''] = /^```json\n(.*?)^```/ms.exec(page) ?? []
    const check = { task: 'Deploy billing to staging.', holds: ['make release', ['staging', 'stage']], never: ['--force'] }
    expect(parse(example)).toEqual({ ok: true, value: { ...check, path: PATH } })
  })

  it.each([
    ['no JSON', '{', /is not JSON/],
    ['deep nesting', '['.repeat(100), /nested/],
    ['another field', { task: 'a', holds: ['b'], model: 'x' }, /model/],
    ['no task', { holds: ['b'] }, /task/],
    ['a task that is too long', { task: 'a'.repeat(4_001), holds: ['b'] }, /task/],
    ['nothing to expect', { task: 'a', holds: [] }, /expects nothing/],
    ['an empty text', { task: 'a', holds: [''] }, /holds\.0/],
    ['no alternative', { task: 'a', holds: [[]] }, /holds\.0/],
    ['a contradiction', { task: 'a', holds: ['Run  it'], never: ['run it'] }, /both expects and forbids 'Run {2}it'/],
    [
      'a contradiction in part',
      { task: 'a', holds: [['git push --force', 'push --force']], never: ['--force'] },
      /both expects and forbids/,
    ],
  ])('refuses %s, and says what is wrong', (_, check, message) => {
    expect(parse(check)).toMatchObject({
      ok: false,
      error: { code: 'invalid', message: expect.stringMatching(message), details: { path: PATH } },
    })
  })
})

it('readSkillChecks plays at most 20 checks, and names files that are none', () => {
  const good = JSON.stringify({ task: 'a', holds: ['b'] })
  const files = Array.from({ length: 22 }, (_, index): [string, string] => [`checks/${String(index).padStart(2, '0')}.json`, good])
  const read = readSkillChecks(new Map([['SKILL.md', 'x'], ['checks/notes.md', 'x'], ['checks/bad.json', '{}'], ...files]))
  expect(read.checks.map(({ path }) => path)).toEqual(files.slice(0, 20).map(([path]) => path))
  expect(read.problems.map(({ code }) => code)).toEqual(['invalid', 'over_limit'])
})

describe('judgeAnswer', () => {
  const check = { task: 'x', holds: ['make release', ['staging', 'stage']], never: ['--force'] }

  it.each([
    ['Run `MAKE\n release` on Stage.', true, [], []],
    ['Run make release.', false, ['staging'], []],
    ['make release --force to staging', false, [], ['--force']],
    ['', false, ['make release', 'staging'], []],
  ])('%j passes: %s', (answer, passed, missing, forbidden) => {
    expect(judgeAnswer(check, answer)).toEqual({ passed, missing, forbidden })
  })
})
