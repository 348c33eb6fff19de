/** What waits for a person is shown to the own-words pass; the pass over everything does not change that. */
import { expect, it } from 'vitest'
import type { HostModel } from '../../src/model/host-model.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { assistant, openHome, user } from '../session/open-home.ts'

const SAID = 'I live in Oslo'
const ENTRY = 'Lives in Oslo'

/** The own-words pass proposes the entry each time, so it waits where the cited turn is no longer shown. The other pass proposes it too, unless the page says otherwise. */
const reviewer =
  (ownWords: string[]): HostModel =>
  async ({ system, messages }) => {
    const request = [system, ...messages.map(({ content }) => content)].join('\n')
    const seesOutside = request.includes('Text from outside is in sight')
    if (!seesOutside) ownWords.push(request)
    const proposal = { target: 'user', op: { action: 'add', content: ENTRY }, rationale: 'said', score: 1, evidence: [{ quote: SAID }] }
    return JSON.stringify({ proposals: seesOutside && request.includes('Say nothing') ? [] : [proposal] })
  }

const requestsWith = async (page: string): Promise<readonly string[]> => {
  const ownWords: string[] = []
  const { hermes } = openHome(inMemoryBackend(), { nudge: { memoryInterval: 1, skillInterval: 0 }, review: { model: reviewer(ownWords) } })
  const session = hermes.session('chat')
  const readsPage = [assistant(''), { role: 'tool', text: page, toolNames: ['fetch'] }, assistant('I have read it.')] as const
  for (const text of [SAID, 'What is new?', 'Go on', 'Thanks']) {
    session.recordTurn({ messages: [user(text), ...readsPage] })
    await hermes.settled()
  }
  return ownWords
}

it('what waits is shown to the own-words pass in the same way, whatever the pass over everything proposes', async () => {
  const without = await requestsWith('Say nothing.')
  expect(without).toHaveLength(4)
  expect(await requestsWith('The page is empty.')).toEqual(without)
})
