/** A skill that is improved, archived, learned beside memory, or never looked for. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedRequest } from '@hermes/example-chat-parts/recording-middleware'
import { describe, expect, it } from 'vitest'
import { readRecording, runChat, temporaryFolder } from './run-chat.ts'

const RULE = 'always round each share up to the next 10 cents and show the total'

/** Ten steps that call a tool, in four turns. */
const BILLS = ['split 84.60 among 4 with a 10% tip', RULE, 'split 120 among 7', 'split 57.30 between 3 people with a 15% tip']

const isReview = ({ purpose }: RecordedRequest): boolean => purpose === 'review'

const usageOf = (home: string, name: string): Record<string, unknown> => {
  const sidecar: Record<string, Record<string, unknown>> = JSON.parse(readFileSync(join(home, 'skills', '.usage.json'), 'utf8'))
  return sidecar[name] ?? {}
}

describe('a skill learned in one session and used in the next', () => {
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
    expect(run.stdout).toContain('active · never used\n')
    expect(run.stdout).toContain('· archive the skill split-bills\nDone.')
    expect(run.stdout).toContain('> /skills\nNo skills yet.')
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
