/** What the person did, and how to undo it. */
import { signal } from '@preact/signals'
import type { DoneView } from '../../api/views.ts'
import { ApiError, type Owner, owner, post } from './api.ts'
import { changed } from './live.ts'

export interface Message {
  readonly number: number
  readonly text: string
  readonly failed: boolean
  readonly undo: string | undefined
}

const MAX_SHOWN = 4
const SHOWN_MS = 9_000

export const messages = signal<readonly Message[]>([])

interface Undoable {
  readonly id: string
  /** Whose home was changed, which need not be the one that is shown by then. */
  readonly of: Owner | undefined
}

/** What can be undone, newest last. */
const undos: Undoable[] = []
let count = 0

export const dismiss = (number: number): void => {
  messages.value = messages.value.filter((message) => message.number !== number)
}

export const tell = (
  text: string,
  { failed = false, undo }: { readonly failed?: boolean; readonly undo?: string | undefined } = {},
): void => {
  count += 1
  const number = count
  messages.value = [...messages.value, { number, text, failed, undo }].slice(-MAX_SHOWN)
  setTimeout(() => dismiss(number), SHOWN_MS)
}

export const tellFailure = (cause: unknown): void => tell(cause instanceof Error ? cause.message : String(cause), { failed: true })

/** Returns the failure, if any. */
const change = async (path: string, body: unknown, of: Owner | undefined): Promise<unknown> => {
  try {
    const done = await post<DoneView>(path, body, of)
    if (done.undo !== undefined) undos.push({ id: done.undo, of })
    tell(done.message, { undo: done.undo })
    return undefined
  } catch (cause) {
    tellFailure(cause)
    return cause
  } finally {
    changed()
  }
}

/** Changes the home and tells what was done. Returns whether it worked. `of`: whose home; default: the one that is shown. */
export const act = async (path: string, body?: unknown, of: Owner | undefined = owner.value): Promise<boolean> =>
  (await change(path, body, of)) === undefined

/** Whether the same may work later, as it is. */
const isPassing = (failure: unknown): boolean =>
  failure instanceof ApiError && (failure.code === undefined || failure.code === 'locked' || failure.code === 'io')

/** Undoes the named change, or the newest one. */
export const undo = async (id: string | undefined = undos.at(-1)?.id): Promise<void> => {
  const at = undos.findLastIndex((each) => each.id === id)
  const [found] = at < 0 ? [] : undos.splice(at, 1)
  if (!found) {
    tell('There is nothing to undo. What was done before this page was opened is in the journal.')
    return
  }
  messages.value = messages.value.filter((message) => message.undo !== id)
  const failure = await change(`undo/${encodeURIComponent(found.id)}`, {}, found.of)
  if (isPassing(failure)) undos.push(found)
}

/** Starts a job, whose progress is shown apart. */
export const start = async (path: string, body?: unknown): Promise<void> => {
  try {
    await post(path, body)
  } catch (cause) {
    tellFailure(cause)
  } finally {
    changed()
  }
}
