import { describe, expect, it } from 'vitest'
import { judgeScenario } from './outcomes.ts'
import type { Played } from './play-scenario.ts'
import type { Scenario } from './scenario.ts'

const scenario: Scenario = {
  id: 'a-cat-and-a-dog',
  kind: 'fact',
  sessions: [],
  known: [{ all: ['cat'] }, { all: ['dog'] }],
  kept: [{ all: ['cat'] }, { all: ['parrot'] }, { all: ['newt'] }],
  stale: [{ all: ['horse'], none: ['sold'] }, { all: ['mule'] }],
  questions: [{ ask: 'Which pets?', answer: { all: ['cat'] } }],
}

const played: Played = {
  prompt: ['Has a cat', 'Sold the horse', 'Rides a mule'],
  archived: ['Has a parrot'],
  held: ['{"content":"Has a newt"}'],
  answers: ['A cat, I think.'],
  reviews: 2,
  failures: [],
  calls: 3,
  hostTokens: 100,
  learningTokens: 20,
  largestRequest: 9,
}

describe('what became of a scenario', () => {
  it('tells what is shown, what is stale, and what is in no place of the home', () => {
    expect(judgeScenario(scenario, played)).toEqual({
      id: 'a-cat-and-a-dog',
      kind: 'fact',
      known: { hits: 1, total: 2 },
      stale: { hits: 1, total: 2 },
      lost: { hits: 1, total: 4 },
      answered: { hits: 1, total: 1 },
      held: 1,
      reviews: 2,
      calls: 3,
      hostTokens: 100,
      learningTokens: 20,
      largestRequest: 9,
      failures: [],
      notes: ['not known: dog', 'stale: mule', 'lost: dog'],
    })
  })

  it('counts a question without an answer as not answered', () => {
    const { answered, notes } = judgeScenario(scenario, { ...played, answers: [] })
    expect(answered).toEqual({ hits: 0, total: 1 })
    expect(notes).toContain('not answered: Which pets?')
  })
})
