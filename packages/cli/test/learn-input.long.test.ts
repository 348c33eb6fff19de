/** `hermes learn --sessions` on transcripts of a size that nobody reads whole. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { expect, it } from 'vitest'
import { greedyReviewer } from './old-conversations.ts'
import { openServer } from './openai-server.ts'
import { runHermes, runJson, temporaryHome } from './run-hermes.ts'

const MINUTE = 60_000
const at = (turn: number) => new Date(Date.UTC(2025, 0, 1) + turn * MINUTE).toISOString()

/** A transcript of Claude Code. */
const writeRows = async (file: string, turns: number, rowsOf: (turn: number) => readonly object[]): Promise<void> => {
  const out = createWriteStream(file)
  for (let turn = 0; turn < turns; turn++) {
    const text = rowsOf(turn).map((row) => `${JSON.stringify(row)}\n`)
    if (!out.write(text.join(''))) await new Promise<void>((resolve) => out.once('drain', () => resolve()))
  }
  await finished(out.end())
}

const open = async () => {
  const { url, requests } = await openServer(greedyReviewer, { countsTokens: true })
  return {
    home: temporaryHome(),
    file: join(temporaryHome(), 'old.jsonl'),
    env: { OPENAI_BASE_URL: url, OPENAI_MODEL: 'm', COLUMNS: '120' },
    requests,
  }
}

it('a transcript of 1 GB is read row by row, in little memory', async () => {
  const { home, file, env, requests } = await open()
  const page = 'x'.repeat(500_000)
  await writeRows(file, 2_000, (turn) => [
    { type: 'user', timestamp: at(turn), message: { role: 'user', content: turn === 0 ? 'My bike maker is birch.' : 'Go on.' } },
    { type: 'user', timestamp: at(turn), message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: page }] } },
  ])
  const before = process.memoryUsage().rss
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss - before)
  }, 100)
  const { code, told } = await runJson(['learn', '--sessions', file, '--max-tokens', '20000', '--yes', '--home', home], { env })
  clearInterval(timer)
  expect([code, told.value]).toMatchObject([0, { learned: 1, skipped: [], estimate: { turns: 2_000, batches: 100 } }])
  expect(requests.length).toBeGreaterThan(1)
  expect(most).toBeLessThan(400_000_000)
}, 120_000)

it('a conversation of 100,000 turns is estimated, and read up to the limit of tokens; the next call goes on', async () => {
  const { home, file, env, requests } = await open()
  await writeRows(file, 100_000, (turn) => [
    { type: 'user', timestamp: at(turn), message: { role: 'user', content: `Step ${turn}, please.` } },
  ])
  const unasked = await runHermes(['learn', '--sessions', file, '--home', home], { env })
  expect(unasked).toMatchObject({ code: 1, stderr: expect.stringContaining('100,000 turns of 1 conversation, in 5,000 batches') })
  expect(requests).toHaveLength(0)
  const learn = () => runJson(['learn', '--sessions', file, '--max-tokens', '9000', '--yes', '--json', '--home', home], { env })
  const { left, used } = (await learn()).told.value as { readonly left: number; readonly used: Readonly<Record<string, number>> }
  const tokens = Number(used['inputTokens']) + Number(used['outputTokens'])
  expect(left).toBe(5_000 - requests.length)
  expect(requests.length).toBeGreaterThan(1)
  expect(tokens).toBeLessThanOrEqual(9_000)
  await learn()
  const shown = requests.map(({ messages }) => /Step (\d+), please/.exec(JSON.stringify(messages))?.[1])
  expect(shown).toEqual(requests.map((_, batch) => String(batch * 20)))
}, 120_000)
