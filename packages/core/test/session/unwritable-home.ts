/** A home whose storage cannot write some paths, and a model that proposes what it has read. */

import type { HermesOptions } from '../../src/hermes-options.ts'
import type { HostModel } from '../../src/model/host-model.ts'
import { HermesError, type HermesErrorCode } from '../../src/shared/hermes-error.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { unwritableStorage } from '../support/unwritable-storage.ts'
import { assistant, openHome, user } from './open-home.ts'

export const FACT = 'User lives in Lisbon'
export const OTHER = 'The repo builds with pnpm'

/** Proposes for the fact that it reads, as long as it is not known yet. */
const attentive = () => {
  const read: string[] = []
  const model: HostModel = async ({ messages }) => {
    const text = messages.map(({ content }) => content).join('\n')
    read.push(text)
    const found = [
      ...(text.includes('I live in Lisbon') ? [{ target: 'user', op: { action: 'add', content: FACT } }] : []),
      ...(text.includes('We build with pnpm') ? [{ target: 'memory', op: { action: 'add', content: OTHER } }] : []),
    ]
    return JSON.stringify({ proposals: found.map((each) => ({ ...each, rationale: 'said', score: 0.9, evidence: [] })) })
  }
  return { model, read }
}

export const APPROVES: Partial<HermesOptions> = {
  gate: async () => ({ ok: true, value: { verdict: 'approve', origin: 'user', reason: 'said' } }),
}

/** `broken`: beginnings of paths that cannot be written. */
export const setUp = (options: Partial<HermesOptions> = APPROVES, code: HermesErrorCode = 'io', reviewer = attentive()) => {
  const broken = new Set<string>()
  const inner = inMemoryBackend()
  const storage = unwritableStorage(
    inner,
    (path) => [...broken].some((start) => path.startsWith(start)),
    (paths) => new HermesError(code, `Could not write '${paths}' (EIO: i/o error).`),
  )
  const { hermes, events } = openHome(storage, options)
  const { model, read } = reviewer
  const session = hermes.session('one')
  let turns = 0
  /** Ten turns, so that a review is due. */
  const talk = async (...words: readonly string[]) => {
    for (const text of [...words, ...Array.from({ length: 10 - words.length }, () => 'Go on.')])
      session.recordTurn({ messages: [user(`${++turns}: ${text}`), assistant('Fine.')], model })
    await hermes.settled()
  }
  const entries = async (target: 'memory' | 'user') => {
    const current = await hermes.memoryStore().current(target)
    return current.ok ? current.value : current.error
  }
  const waiting = async () => {
    const listed = await hermes.pending.list()
    return listed.ok ? listed.value : []
  }
  const endings = () => events.flatMap((event) => (/^review-(?:finished|failed)$/.test(event.type) ? [event.type] : []))
  return { hermes, events, broken, talk, read, entries, waiting, endings }
}
