/** What the model answers to the readers of the pages. */
import type { LLMock } from '@copilotkit/aimock'

const proposal = (content: string) => ({ target: 'user', op: { action: 'add', content }, rationale: 'said so', score: 0.9, evidence: [] })

const LEARNED = JSON.stringify({ proposals: [proposal('Is called Ada.'), proposal('Writes TypeScript, not Python.')] })

export const answerReaders = (mock: LLMock): void => {
  const asks = (words: RegExp) => (request: { readonly messages: readonly { readonly role: string; readonly content?: unknown }[] }) =>
    words.test(JSON.stringify(request.messages.findLast(({ role }) => role === 'user')?.content))
  // A review holds the conversation, so it is told first.
  mock.on({ predicate: asks(/<conversation>/) }, { content: LEARNED })
  const remember = { name: 'memory', arguments: JSON.stringify({ target: 'user', action: 'add', content: 'Lives in Lisbon.' }) }
  mock.on({ userMessage: /Remember that I live/, hasToolResult: false }, { toolCalls: [remember] })
  mock.on({ userMessage: /Remember that I live/, hasToolResult: true }, { content: 'I will remember that you live in Lisbon.' })
  mock.on({ userMessage: /Where do I live/ }, { content: 'You live in Lisbon.' })
  mock.on({ userMessage: /Hello/ }, { content: 'Hello to you.' })
  mock.on({ userMessage: /I am Ada|never Python|name for a cat/ }, { content: 'Fine.' })
}
