import { expect, it } from 'vitest'
import { ok } from '../shared/result.ts'
import { backgroundTasks } from './background-tasks.ts'
import type { DueReview } from './due-review.ts'
import { NOTHING_FINISHED, sessionSaver } from './session-saver.ts'
import type { SessionStore } from './session-store.ts'

const due: DueReview = {
  startedAt: 1,
  memory: true,
  skills: false,
  turns: 10,
  iterations: 0,
  fromBacklog: false,
  conversation: [],
  loadedSkills: [],
}

it('frees the record for the next review, also when this one crashed', async () => {
  const ended: boolean[] = []
  const store: SessionStore = {
    block: '',
    unsaved: false,
    beginTurn: () => false,
    countTurn: () => {},
    endStep: () => {},
    noteLoadedSkill: () => {},
    replaceBlock: () => {},
    save: async () => ok(due),
    endReview: async (_, succeeded) => {
      ended.push(succeeded)
      return ok(undefined)
    },
  }
  const crashes: unknown[] = []
  const tasks = backgroundTasks({ onCrash: (cause) => crashes.push(cause) })
  const reviews = { run: () => Promise.reject(new Error('boom')) }
  sessionSaver({ ready: async () => store, tasks, reviews, onFailure: () => {} })(NOTHING_FINISHED)
  await tasks.settled()
  expect(ended).toEqual([false])
  expect(crashes).toEqual([new Error('boom')])
})
