/** No method of `hermes.curator` rejects or throws, whatever it is called with and whatever the clock does. */
import { describe, expect, it } from 'vitest'
import { createHermes } from '../src/create-hermes.ts'
import type { HermesEvent } from '../src/session/hermes-event.ts'
import { systemClock } from '../src/shared/clock.ts'
import { HermesError } from '../src/shared/hermes-error.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'

const WRONG: readonly unknown[] = [undefined, null, 5, true, '', {}, [], [undefined], { skills: 'deploy' }, Symbol('s'), () => undefined]

const settlesWithAnError = async (call: () => unknown): Promise<void> => {
  const answer: unknown = await call()
  if (typeof answer !== 'object' || answer === null) throw new Error('an answer is an object')
  if ('ok' in answer && answer.ok === true) return
  if ('error' in answer) expect(HermesError.isInstance(answer.error)).toBe(true)
}

describe('a verb of hermes.curator', () => {
  const verbs = Object.keys(createHermes({ storage: inMemoryBackend() }).curator)

  it.each(verbs)('%s answers every wrong argument with a result', async (verb) => {
    const hermes = createHermes({ storage: inMemoryBackend() })
    const call: unknown = Reflect.get(hermes.curator, verb)
    if (typeof call !== 'function') throw new Error(`${verb} is a function`)
    for (const first of WRONG) for (const second of WRONG) await settlesWithAnError(() => call(first, second))
    await settlesWithAnError(() => call())
    await hermes.settled()
  })

  it.each([
    ['archive', [undefined]],
    ['restore', [7]],
    ['pin', [null]],
    ['manage', [{ skills: 'deploy' }]],
    ['manage', []],
    ['rollback', [5]],
    ['backup', [null]],
    ['prune', [undefined]],
    ['prunable', ['90']],
  ])('%s says which argument is wrong', async (verb, given) => {
    const hermes = createHermes({ storage: inMemoryBackend() })
    const call: unknown = Reflect.get(hermes.curator, verb)
    if (typeof call !== 'function') throw new Error(`${verb} is a function`)
    expect(await call(...given)).toMatchObject({
      ok: false,
      error: { code: 'invalid', message: expect.stringMatching(new RegExp(`hermes\\.curator\\.${verb}\\(\\).*argument 1`)) },
    })
  })

  it.each(verbs)('%s answers with a result if the clock throws', async (verb) => {
    const events: HermesEvent[] = []
    let broken = false
    const clock = () => {
      if (broken) throw new Error('no time')
      return systemClock()
    }
    const hermes = createHermes({ storage: inMemoryBackend(), clock, onEvent: (event) => events.push(event) })
    broken = true
    const call: unknown = Reflect.get(hermes.curator, verb)
    if (typeof call !== 'function') throw new Error(`${verb} is a function`)
    await settlesWithAnError(() => call(verb === 'prune' ? [] : verb.endsWith('manage') ? { all: true } : undefined))
    await hermes.settled()
  })

  it('tells a throwing clock as the failure of a run', async () => {
    const hermes = createHermes({
      storage: inMemoryBackend(),
      clock: () => {
        throw new Error('no time')
      },
    })
    expect(await hermes.curator.maybeRun({ idleMs: 1 })).toMatchObject({
      ran: false,
      reason: 'failed',
      error: { message: expect.stringContaining('no time') },
    })
    expect(await hermes.curator.status()).toMatchObject({ ok: false, error: { message: expect.stringContaining('no time') } })
  })
})
