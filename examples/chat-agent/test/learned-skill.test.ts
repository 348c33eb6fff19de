import { readFileSync, statSync } from 'node:fs'
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
    expect(first.stdout).toMatch(/- split-bills: Split a bill into shares the way the user wants it\n {2}active · never used\n/)
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
    expect(next.stdout).toContain('\n- Always round each share up to the next 10 cents and show the total\n')
  })
})
