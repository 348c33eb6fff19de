import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedRequest } from '@hermes/example-chat-parts/recording-middleware'
import { describe, expect, it } from 'vitest'
import { IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { readRecording, runChat, runProcess, temporaryFolder } from './run-chat.ts'

const userTexts = ({ messages }: RecordedRequest): readonly string[] =>
  messages.flatMap((message) =>
    message.role === 'user' ? [message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')] : [],
  )

const turnsIn = (file: string): readonly RecordedRequest[] => readRecording(file).filter(({ purpose }) => purpose === 'turn')

/** Each message is sent with the same bytes in every later request. */
const keepsPrefix = (requests: readonly RecordedRequest[]): boolean =>
  requests.every(({ messages }, index) => {
    const before = requests[index - 1]?.messages ?? []
    return JSON.stringify(messages.slice(0, before.length)) === JSON.stringify(before)
  })

const FACT = 'The blue kayak is in the boathouse of Lars.'

describe('--recall', () => {
  it('recalls in the third session what was said in the first and saved nowhere else', async () => {
    const folder = temporaryFolder()
    const home = join(folder, 'home')
    const chat = (name: string, lines: readonly string[]) =>
      runChat({
        args: ['--home', home, '--recall', '--session', name, '--record', join(folder, `${name}.jsonl`)],
        lines: [...lines, '/quit'],
      })

    const first = await chat('first', [FACT])
    const second = await chat('second', ['interesting'])
    const third = await chat('third', ['hello', 'where is the blue kayak?', 'thanks', 'and what is in the boathouse?'])
    for (const run of [first, second, third]) expect(run).toMatchObject({ code: 0, stderr: '' })

    const answer = `From an earlier conversation: "${FACT}"`
    expect(first.stdout + second.stdout).not.toMatch(/· recalled|From an earlier/)
    expect(third.stdout).toContain(`${answer}\n· recalled 1 text\n`)
    expect(third.stdout.match(/From an earlier conversation/g)).toHaveLength(2)

    // Nowhere but in the index, which nobody else can read.
    const memories = join(home, 'memories')
    const saved = existsSync(memories)
      ? readdirSync(memories).flatMap((name) => (name.endsWith('.md') ? [readFileSync(join(memories, name), 'utf8')] : []))
      : []
    expect(saved.join('')).not.toContain('kayak')
    expect(statSync(join(home, 'recall/recall.db')).mode & 0o777).toBe(0o600)

    const requests = turnsIn(join(folder, 'third.jsonl'))
    expect(new Set(requests.map(({ system }) => system)).size).toBe(1)
    expect(requests[0]?.system).not.toContain('kayak')
    expect(keepsPrefix(requests)).toBe(true)
    const [hello, asked, thanks] = userTexts(requests.at(-1) ?? { purpose: 'turn', system: '', messages: [] })
    expect([hello, thanks]).toEqual(['hello', 'thanks'])
    expect(asked).toMatch(
      /^where is the blue kayak\?\n\n<memory-context>\n[\s\S]*session first: [\s\S]*boathouse of Lars\.[\s\S]*<\/memory-context>$/,
    )
    // No review learns what was recalled.
    const reviews = readRecording(join(folder, 'third.jsonl')).filter(({ purpose }) => purpose === 'review')
    expect(reviews.length).toBeGreaterThan(0)
    expect(JSON.stringify(reviews)).not.toContain('Lars')
  })

  if (IS_LONG_RUN)
    it('keeps the system prompt and what it recalled when a session goes on in another process', async () => {
      const folder = temporaryFolder()
      const [home, record] = [join(folder, 'home'), join(folder, 'requests.jsonl')]
      await runChat({ args: ['--home', home, '--recall'], lines: [FACT, '/quit'] })
      const args = ['--home', home, '--recall', '--session', 'notes', '--record', record]
      for (const line of ['where is the kayak?', 'where is the kayak?']) await runChat({ args, lines: [line, '/quit'] })
      // Its input ends, which nothing must outlive.
      expect(await runProcess({ args, lines: ['thanks'] })).toMatchObject({ code: 0, signal: null, stderr: '' })
      const requests = turnsIn(record)
      expect(requests).toHaveLength(3)
      expect(new Set(requests.map(({ system }) => system)).size).toBe(1)
      expect(userTexts(requests[0] as RecordedRequest)[0]).toContain('boathouse')
    })

  it('goes on if the index cannot be used', async () => {
    const home = temporaryFolder()
    const broken =
      "const fail = () => { throw new Error('no SQLite here') }\nexport default { name: 'broken', initialize: fail, openRecall: async () => fail() }"
    writeFileSync(join(home, 'config.yaml'), 'memory:\n  provider: ./broken.mjs\n', { mode: 0o600 })
    writeFileSync(join(home, 'broken.mjs'), broken, { mode: 0o600 })
    const { code, stdout } = await runChat({
      args: ['--home', home],
      lines: ['remember that I live in Oslo', 'hello', '/quit'],
    })
    expect(code).toBe(0)
    expect(stdout).toContain('Done. I will remember that.')
    expect(stdout).toMatch(/· broken failed \(initialize\): .*no SQLite here/)
    expect(stdout).toMatch(/> hello\nHello!/)
  })

  it('is what config.yaml can say too, and a provider that cannot be used is one line', async () => {
    const home = temporaryFolder()
    writeFileSync(join(home, 'config.yaml'), 'memory:\n  provider: recall\n', { mode: 0o600 })
    await runChat({ args: ['--home', home], lines: [FACT, '/quit'] })
    const { stdout: recalled } = await runChat({ args: ['--home', home], lines: ['where is the kayak?', '/quit'] })
    expect(recalled).toMatch(/^recall {3}on, by recall$/m)
    expect(recalled).toContain('· recalled 1 text')
    writeFileSync(join(home, 'config.yaml'), 'memory:\n  provider: honcho\n')
    const { code, stdout } = await runChat({ args: ['--home', home], lines: ['hello', '/quit'] })
    expect([code, stdout.match(/The memory provider 'honcho' of config\.yaml is not used/g)]).toMatchObject([0, { length: 1 }])
  })
})
