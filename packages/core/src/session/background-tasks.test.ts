import { describe, expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { ok } from '../shared/result.ts'
import { BackgroundTasks, backgroundError } from './background-tasks.ts'

describe('BackgroundTasks', () => {
  it('settles when the work and what it started are done', async () => {
    const done: string[] = []
    const tasks = new BackgroundTasks({ onCrash: () => {}, onBackgroundFailure: () => {} })
    tasks.run(async () => {
      await null
      tasks.run(async () => {
        await null
        done.push('inner')
      })
      done.push('outer')
    })
    await tasks.settled()
    expect(done).toEqual(['outer', 'inner'])
    expect(tasks.idle).toBe(true)
    tasks.run(async () => {})
    expect(tasks.idle).toBe(false)
  })

  it('hands every task to the host', async () => {
    const handed: Promise<unknown>[] = []
    const tasks = new BackgroundTasks({ background: (task) => handed.push(task), onCrash: () => {}, onBackgroundFailure: () => {} })
    tasks.run(async () => {})
    expect(handed).toHaveLength(1)
    await expect(handed[0]).resolves.toBeUndefined()
  })

  it('reports a crash and never rejects', async () => {
    const crashes: unknown[] = []
    const tasks = new BackgroundTasks({ onCrash: (cause) => crashes.push(cause), onBackgroundFailure: () => {} })
    tasks.run(() => Promise.reject(new Error('boom')))
    await tasks.settled()
    expect(crashes).toEqual([new Error('boom')])
  })

  it('continues when the host cannot take the task', async () => {
    const crashes: unknown[] = []
    let ran = false
    const background = () => {
      throw new Error('no request context')
    }
    const tasks = new BackgroundTasks({ background, onCrash: () => {}, onBackgroundFailure: (cause) => crashes.push(cause) })
    tasks.run(async () => {
      ran = true
    })
    await tasks.settled()
    expect(ran).toBe(true)
    expect(crashes).toHaveLength(1)
  })

  it('continues when the host takes the task and then rejects', async () => {
    let crash: (cause: unknown) => void = () => {}
    const crashed = new Promise((resolve) => {
      crash = resolve
    })
    new BackgroundTasks({
      background: () => Promise.reject(new Error('too late')),
      onCrash: () => {},
      onBackgroundFailure: crash,
    }).run(async () => {})
    expect(await crashed).toEqual(new Error('too late'))
  })
})

describe('resultOf', () => {
  it('is what the work answers, and an error if it breaks down', async () => {
    const crashes: unknown[] = []
    const tasks = new BackgroundTasks({ onCrash: (cause) => crashes.push(cause), onBackgroundFailure: () => {} })
    expect(await tasks.resultOf(async () => ok(3))).toEqual({ ok: true, value: 3 })
    const failed = await tasks.resultOf(async () => {
      throw new Error('a defect')
    })
    expect(failed).toMatchObject({
      ok: false,
      error: { code: 'io', message: 'Background work failed: Error: a defect', cause: new Error('a defect') },
    })
    await tasks.settled()
    expect(crashes).toHaveLength(1)
  })
})

describe('backgroundError', () => {
  it('is an error of ours as it is, and any other as the cause of one', () => {
    const ours = new HermesError('no_space', 'The disk is full.')
    expect(backgroundError(ours)).toBe(ours)
    expect(backgroundError('broken')).toMatchObject({ code: 'io', message: 'Background work failed: broken', cause: 'broken' })
  })
})
