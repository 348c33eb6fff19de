import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { readRecording, runChat, temporaryFolder } from './run-chat.ts'

const TURNS = [
  'hello',
  'my name is Ada Lovelace',
  'remember that I live in Oslo',
  'what can you do?',
  'I prefer tabs over spaces',
  'nice weather today',
  'remember that the release branch is called stable-4',
  'ok',
  'we deploy with Kamal',
  'go on',
  'tell me more',
  'I work at the Northern Observatory',
  'interesting',
  'remember that I am allergic to peanuts',
  'and then?',
  'all right',
  'we test with vitest',
  'ok',
  'fine',
  'thanks',
  'one',
  'two',
  'three',
  'four',
  'five',
]

describe('a scripted chat of 25 turns', () => {
  it('keeps the system prompt byte for byte, reviews after turns 10 and 20 and at each end, and starts the next session with what it learned', async () => {
    const folder = temporaryFolder()
    const record = join(folder, 'requests.jsonl')
    const home = join(folder, 'home')
    const lines = [...TURNS, '/new', 'what is my name?', 'what do we deploy with?', '/quit']
    const run = await runChat({ args: ['--home', home, '--record', record, '--session', 'first'], lines })

    expect(run).toMatchObject({ code: 0, stderr: '' })
    const requests = readRecording(record)
    const firstSession = requests.filter((request) => request.purpose === 'turn').slice(0, -2)
    const nextSession = requests.filter((request) => request.purpose === 'turn').slice(-2)

    // 25 turns, three of them with a tool call and so with a second step.
    expect(firstSession).toHaveLength(28)
    expect(new Set(firstSession.map((request) => request.system)).size).toBe(1)
    expect(firstSession[0]?.system).not.toContain('Oslo')

    const userTurnsBefore = (index: number): number =>
      new Set(
        requests
          .slice(0, index)
          .filter((request) => request.purpose === 'turn')
          .map((request) => request.messages.filter((message) => message.role === 'user').length),
      ).size
    const reviews = requests.flatMap((request, index) => (request.purpose === 'review' ? [userTurnsBefore(index)] : []))
    expect(reviews).toEqual([10, 20, 25, 25])
    expect(run.stdout.match(/· review after 10 turns: \d+ learned$/gm)).toHaveLength(2)
    expect(run.stdout.match(/· Learning from .*/g)).toEqual([
      '· Learning from 5 turns … Ctrl-C skips.',
      '· Learning from 2 turns … Ctrl-C skips.',
    ])

    expect(new Set(nextSession.map((request) => request.system)).size).toBe(1)
    for (const fact of ['Ada Lovelace', 'Oslo', 'tabs over spaces', 'stable-4', 'Kamal', 'Northern Observatory', 'peanuts', 'vitest']) {
      expect(nextSession[0]?.system).toContain(fact)
    }
    expect(nextSession[0]?.messages).toHaveLength(1)
    expect(run.stdout).toContain("I remember: User's name is Ada Lovelace.")
    expect(run.stdout).toContain('I remember: The team deploys with Kamal.')
    expect(run.stdout).toContain('· memory add user: User lives in Oslo')
    expect(statSync(record).mode & 0o777).toBe(0o600)
  })

  if (IS_LONG_RUN)
    it('is the same transcript each time, but for the name of the next session', async () => {
      const once = async (): Promise<string> => {
        const home = temporaryFolder()
        const { stdout } = await runChat({ args: ['--home', home, '--session', 'same'], lines: [...TURNS, '/memory', '/quit'] })
        return stdout.replaceAll(home, 'HOME')
      }
      expect(await once()).toBe(await once())
    })
})
