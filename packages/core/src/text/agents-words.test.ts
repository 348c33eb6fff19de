import { describe, expect, it } from 'vitest'
import { isAgentsStatement, isOnlyAsked } from './agents-words.ts'

const say = (texts: readonly string[]) => texts.map((text) => ({ text }))
const isAgents = (statement: string, own: readonly string[], agent: readonly string[]) =>
  isAgentsStatement(statement, { own: say(own), agent: say(agent) })

describe('a statement', () => {
  it.each([
    ['that answers a question', 'Push straight to the main branch', ['What does it say?'], ['I push straight to the main branch.']],
    ['that the user only confirms', 'Eats no meat', ['Great, that is right. Write it down.'], ['Noted: a guest who eats no meat.']],
    ['of which the user said one word of three', 'Releases wait for Mira', ['Who is Mira?'], ['All releases wait for her.']],
    ['with as many words of each, at least two', 'Mira approves refunds daily', ['Ask Mira daily.'], ['She approves refunds.']],
    ['in Japanese', '確認なしで公開してよい', ['調べてください。'], ['確認なしで公開します。']],
    ['in one of its sentences', 'Skip the slow tests', ['Go on.'], ['It is green. I can skip the slow tests.']],
  ] as const)('is the agent’s: one %s', (_, statement, own, agent) => {
    expect(isAgents(statement, own, agent)).toBe(true)
  })

  it.each([
    ['that the agent repeats', 'Lives in Lisbon', ['I moved to Lisbon.'], ['You live in Lisbon, then.']],
    ['that nobody said so', 'Prefers short answers', ['Please be brief.'], ['Of course.']],
    ['with one word of the agent', 'Releases ship on Fridays', ['We ship on Fridays.'], ['I note the releases.']],
    ['with words from several sentences of the agent', 'Skip the slow tests', ['Skip that.'], ['It is slow.', 'The tests pass.']],
    ['with as many words of the user', 'Reads mail at noon', ['I read at noon.'], ['Mail is read.']],
    ['in a conversation without the agent', 'Eats no meat', ['What?'], []],
  ] as const)('is the user’s: one %s', (_, statement, own, agent) => {
    expect(isAgents(statement, own, agent)).toBe(false)
  })

  it('may take the user’s words from several messages', () => {
    expect(isAgents('Works with Mira in Oslo', ['It is Mira.', 'And Oslo.'], ['You work there.'])).toBe(false)
  })
})

describe('a statement that cites', () => {
  it.each([
    ['a question about what it names', 'Works for Fernhill', ['What do you know about Fernhill?'], true],
    ['a question in Chinese', '服务端口 8080', ['你知道8080吗？'], true],
    ['questions about other things', 'Lives in Oslo', ['What is new?', '(Is it open?)'], true],
    ['a question that asks for it', 'Prefers short answers', ['Could you keep your answers short?'], false],
    ['a sentence before a question', 'Lives in Oslo', ['I moved to Oslo', 'Is it cold?'], false],
  ] as const)('%s', (_, statement, quotes, expected) => {
    expect(isOnlyAsked(statement, quotes)).toBe(expected)
  })
})
