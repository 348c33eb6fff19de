import { describe, expect, it } from 'vitest'
import { ok } from '../shared/result.ts'
import { backgroundTasks } from './background-tasks.ts'
import type { DueReview } from './due-review.ts'
import { sessionSaver } from './session-saver.ts'
import type { SessionStore } from './session-store.ts'

const due: DueReview = {
  startedAt: 1,
  memory: true,
  skills: false,
  turns: 10,
  iterations: 0,
  conversation: [],
  shown: [],
  loadedSkills: [],
}

const setUp = (parts: Pick<SessionStore, 'save'>) => {
  const fates: string[] = []
  const crashes: unknown[] = []
  const store: SessionStore = {
    block: '',
    unsaved: false,
    beginTurn: () => false,
    endStep: () => {},
    recordTurn: () => {},
    noteLoadedSkill: () => {},
    replaceBlock: () => {},
    forget: async () => {},
    endReview: async (_, fate) => {
      fates.push(fate)
      return ok({ dropped: 0 })
    },
    ...parts,
  }
  const tasks = backgroundTasks({ onCrash: (cause) => crashes.push(cause), onBackgroundFailure: () => {} })
  const save = sessionSaver({
    ready: async () => store,
    tasks,
    reviews: { run: () => Promise.reject(new Error('boom')) },
    stopping: new AbortController().signal,
    onFailure: () => {},
    onDropped: () => {},
  })
  return { save, tasks, fates, crashes }
}

describe('sessionSaver', () => {
  it('frees the record for the next review, also when this one crashed', async () => {
    const { save, tasks, fates, crashes } = setUp({ save: async () => ok({ due, dropped: 0 }) })
    save()
    await tasks.settled()
    expect(fates).toEqual(['failed'])
    expect(crashes).toEqual([new Error('boom')])
  })

  it('saves again after a save that crashed', async () => {
    let saves = 0
    const { save, tasks, crashes } = setUp({
      save: async () => {
        saves++
        if (saves === 1) throw new Error('no clock')
        return ok({ dropped: 0 })
      },
    })
    save()
    await tasks.settled()
    save()
    await tasks.settled()
    expect(saves).toBe(2)
    expect(crashes).toEqual([new Error('no clock')])
  })
})
