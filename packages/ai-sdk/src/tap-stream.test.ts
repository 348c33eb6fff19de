import { describe, expect, it } from 'vitest'
import { tapStream } from './tap-stream.ts'

const watch = () => {
  const log: string[] = []
  const onPart = (part: number) => {
    log.push(`part ${part}`)
    return part
  }
  return { log, watcher: { onPart, onEnd: () => log.push('end'), onFailure: () => log.push('failure') } }
}

/** Counts how often it is read; closes, fails or never ends. */
const source = (ending: 'close' | Error | undefined, length = 3) => {
  const state = { pulls: 0, cancelled: undefined as unknown }
  const stream = new ReadableStream<number>(
    {
      pull(controller) {
        state.pulls += 1
        if (state.pulls <= length || ending === undefined) controller.enqueue(state.pulls)
        else if (ending === 'close') controller.close()
        else controller.error(ending)
      },
      cancel(reason) {
        state.cancelled = reason
      },
    },
    { highWaterMark: 0 },
  )
  return { state, stream }
}

describe('tapStream', () => {
  it('hands on every part in order and reports the end before the consumer sees it', async () => {
    const { log, watcher } = watch()
    const reader = tapStream(source('close').stream, watcher).getReader()
    for (const value of [1, 2, 3]) expect(await reader.read()).toEqual({ done: false, value })
    const last = reader.read().then(({ done }) => {
      log.push(`done ${done}`)
    })
    await last
    expect(log).toEqual(['part 1', 'part 2', 'part 3', 'end', 'done true'])
  })

  it('hands on what the watcher makes of a part', async () => {
    const reader = tapStream(source('close', 1).stream, { ...watch().watcher, onPart: (part) => part + 10 }).getReader()
    expect(await reader.read()).toEqual({ done: false, value: 11 })
  })

  it('reads nothing ahead of the consumer', async () => {
    const { state, stream } = source(undefined)
    const reader = tapStream(stream, watch().watcher).getReader()
    const settle = async (): Promise<void> => {
      for (let tick = 0; tick < 50; tick++) await Promise.resolve()
    }
    await settle()
    expect(state.pulls).toBe(0)
    await reader.read()
    await reader.read()
    await settle()
    expect(state.pulls).toBe(2)
  })

  it('passes a failure on unchanged and does not call it an end', async () => {
    const { log, watcher } = watch()
    const failure = new Error('cut')
    const reader = tapStream(source(failure, 1).stream, watcher).getReader()
    await reader.read()
    await expect(reader.read()).rejects.toBe(failure)
    expect(log).toEqual(['part 1', 'failure'])
  })

  it('passes cancellation on with its reason', async () => {
    const { state, stream } = source(undefined)
    const { log, watcher } = watch()
    const reader = tapStream(stream, watcher).getReader()
    await reader.read()
    await reader.cancel('enough')
    expect(state.cancelled).toBe('enough')
    expect(log).toEqual(['part 1', 'end'])
  })
})
