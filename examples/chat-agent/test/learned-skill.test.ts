import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileSystemBackend } from '@hermes/core/file-system'
import { SkillStore } from '@hermes/core/skills'
import type { RecordedRequest } from '@hermes/example-chat-parts/recording-middleware'
import { describe, expect, it } from 'vitest'
import { SPLIT_BILLS_SKILL } from '../../scripted-model/test/split-bills-skill.ts'
import { readRecording, runChat, temporaryFolder } from './run-chat.ts'

const RULE = 'always round each share up to the next 10 cents and show the total'

/** Ten steps that call a tool, in four turns. */
const BILLS = ['split 84.60 among 4 with a 10% tip', RULE, 'split 120 among 7', 'split 57.30 between 3 people with a 15% tip']

const isReview = ({ purpose }: RecordedRequest): boolean => purpose === 'review'

/** Model steps that called tools, as the last prompt before `index` shows them. */
const toolSteps = ({ messages }: RecordedRequest): number =>
  messages.filter(({ role, content }) => role === 'assistant' && JSON.stringify(content).includes('"tool-call"')).length

const usageOf = (home: string, name: string): Record<string, unknown> => {
  const sidecar: Record<string, Record<string, unknown>> = JSON.parse(readFileSync(join(home, 'skills', '.usage.json'), 'utf8'))
  return sidecar[name] ?? {}
}

describe('a skill learned in one session and used in the next', () => {
  it('is proposed at the tenth tool step, gated, written, listed in the next prompt, read, followed and counted', async () => {
    const folder = temporaryFolder()
    const home = join(folder, 'home')
    const record = join(folder, 'requests.jsonl')
    const args = ['--home', home, '--record', record]
    const first = await runChat({ args: [...args, '--session', 'first'], lines: [...BILLS, 'thanks', '/skills', '/journal', '/quit'] })

    expect(first).toMatchObject({ code: 0, stderr: '' })
    const requests = readRecording(record)
    // The other one is that of memory, at the end.
    expect(requests.filter(isReview)).toHaveLength(2)
    const review = requests.findIndex(isReview)
    const before = requests[review - 1]
    expect(before && toolSteps(before)).toBe(10)
    // The review reads skills alone: four turns are no reason to look at memory.
    expect(JSON.stringify(requests[review]?.messages)).toContain('<skill-library>')
    expect(JSON.stringify(requests[review]?.messages)).not.toContain('<remembered>')
    expect(new Set(requests.filter((request) => !isReview(request)).map(({ system }) => system)).size).toBe(1)

    const file = join(home, 'skills', 'split-bills', 'SKILL.md')
    // The review is not shown what tools gave out, so the sums that the skill could name are not in it.
    expect(readFileSync(file, 'utf8')).toBe(SPLIT_BILLS_SKILL.slice(0, SPLIT_BILLS_SKILL.indexOf('\n## Steps')))
    const viewed = await new SkillStore({ storage: fileSystemBackend(home) }).view('split-bills')
    expect(viewed).toMatchObject({ ok: true, value: { document: { name: 'split-bills', diagnostics: [] } } })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(usageOf(home, 'split-bills')).toMatchObject({ created_by: 'agent', state: 'active', use_count: 0, view_count: 0 })
    expect(first.stdout).toMatch(/· review after 10 tool steps: 1 learned\n {2}learned a skill: split-bills\n/)
    expect(first.stdout).toMatch(
      /- split-bills: Split a bill into shares the way the user wants it\n {2}active · never used · made by the agent\n/,
    )
    expect(first.stdout).toMatch(
      /applied {3}create skill split-bills: Split a bill into shares[^\n]*\n.*by review · origin \w+ · score 0\.9/,
    )

    const next = await runChat({
      args: [...args, '--session', 'next'],
      lines: ['split 96 among 5', 'split 10 among 3', '/skills split-bills', '/quit'],
    })
    expect(next).toMatchObject({ code: 0, stderr: '' })
    const turns = readRecording(record)
      .slice(requests.length)
      .filter((request) => !isReview(request))
    expect(new Set(turns.map(({ system }) => system)).size).toBe(1)
    expect(turns[0]?.system).toContain('- split-bills: Split a bill into shares the way the user wants it')
    expect(requests[0]?.system).not.toContain('split-bills')
    expect(next.stdout).toContain(`> split 96 among 5
· read the skill split-bills
· calculate ceil(96 / 5, 0.1) = 19.2
· calculate 19.2 * 5 = 96
By my skill split-bills: each of the 5 pays 19.20, 96.00 in total.
`)
    expect(next.stdout.match(/· read the skill/g)).toHaveLength(1)
    expect(usageOf(home, 'split-bills')).toMatchObject({ use_count: 1, view_count: 1, patch_count: 0 })
    expect(next.stdout).toContain('active · used once, last on ')
    expect(next.stdout).toContain('\n- Always round each share up to the next 10 cents and show the total\n')
  })

  it('is improved when the person corrects it again', async () => {
    const home = join(temporaryFolder(), 'home')
    const args = ['--home', home, '--skill-nudge', '6']
    await runChat({ args, lines: [...BILLS.slice(0, 3), '/quit'] })
    const run = await runChat({
      args,
      lines: ['split 96 among 5', 'never forget to say who pays first. always round down to 50 cents', 'split 10 among 4', '/quit'],
    })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout).toMatch(/· review after 7 tool steps: 1 learned\n {2}improved the skill split-bills\n/)
    const text = readFileSync(join(home, 'skills', 'split-bills', 'SKILL.md'), 'utf8')
    expect(text).toContain(`total
- Never forget to say who pays first
- Always round down to 50 cents
`)
    expect(usageOf(home, 'split-bills')).toMatchObject({ patch_count: 1, created_by: 'agent' })
  })

  it('is learned in the same review as memory if both are due', async () => {
    const folder = temporaryFolder()
    const record = join(folder, 'requests.jsonl')
    const home = join(folder, 'home')
    const args = ['--home', home, '--record', record, '--nudge', '4', '--skill-nudge', '8']
    const run = await runChat({ args, lines: ['my name is Ada', ...BILLS.slice(0, 2), BILLS[3] ?? '', '/memory', '/quit'] })
    expect(run.code).toBe(0)
    const reviews = readRecording(record).filter(isReview)
    expect(reviews).toHaveLength(1)
    expect(JSON.stringify(reviews[0]?.messages)).toMatch(/<remembered>[\s\S]*<skill-library>/)
    expect(run.stdout).toMatch(
      /· review after 4 turns and 8 tool steps: 2 learned\n {2}learned: User's name is Ada\n {4}.+\n {2}learned a skill: split-bills\n/,
    )
    expect(run.stdout).toContain("- User's name is Ada")
  })

  it('is created, and archived again when the person says so', async () => {
    const home = join(temporaryFolder(), 'home')
    const lines = [...BILLS.slice(0, 3), 'save that as a skill', '/skills', 'forget the skill split-bills', '/skills', '/journal', '/quit']
    const run = await runChat({ args: ['--home', home], lines })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout).toContain('· make the skill split-bills\nDone.')
    expect(run.stdout).toContain('active · never used · made by the agent')
    expect(run.stdout).toContain('· archive the skill split-bills\nDone.')
    expect(run.stdout).toMatch(/archived; nothing is deleted\n- split-bills · since \d{4}-\d\d-\d\d/)
    expect(run.stdout).toMatch(/applied {3}create skill split-bills.*\n.*by agent[\s\S]*applied {3}archive skill split-bills\n.*by agent/)
    expect(existsSync(join(home, 'skills', 'split-bills'))).toBe(false)
    expect(usageOf(home, 'split-bills')).toMatchObject({ state: 'archived' })
  })

  it('is never looked for with --skill-nudge 0', async () => {
    const home = join(temporaryFolder(), 'home')
    const run = await runChat({ args: ['--home', home, '--skill-nudge', '0'], lines: [...BILLS, ...BILLS, '/skills', '/quit'] })
    expect(run.stdout).toContain('review   every 10 turns, of memory alone')
    expect(run.stdout.match(/· review after .*/g)).toEqual(['· review after 8 turns: nothing new'])
    expect(run.stdout).toContain('No skills yet.')
    expect(existsSync(join(home, 'skills', 'split-bills'))).toBe(false)
  })
})
