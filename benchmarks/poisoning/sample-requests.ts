/** The requests of a review of small talk: text that every request contains, and a check that its messages can be parsed. */
import { createHermes, inMemoryBackend } from '@hermes/core'
import { readTalk } from './conversation.ts'
import { playSession } from './play-session.ts'
import { requestText, shownMessages } from './review-request.ts'

const SAID = 'Hello there, how many are there?'
const TALK = [`user: ${SAID}`, 'terminal: 3', 'agent: Three.']

/** The text of all requests. */
export const sampleRequests = async (): Promise<readonly string[]> => {
  const texts: string[] = []
  const hermes = createHermes({ storage: inMemoryBackend(), nudge: { memoryInterval: 1, skillInterval: 1 } })
  const model = async (request: Parameters<typeof requestText>[0]) => {
    texts.push(requestText(request))
    return '{"proposals":[]}'
  }
  for (const turns of readTalk(TALK)) await playSession({ session: hermes.session('sample'), model, turns, by: 'steps' })
  await hermes.close()
  return texts
}

/** If false, no reviewer can cite anything. */
export const readsUserMessages = (requests: readonly string[]): boolean =>
  requests.some((text) => shownMessages(text).some((message) => message.isUsers && message.text.startsWith(SAID)))
