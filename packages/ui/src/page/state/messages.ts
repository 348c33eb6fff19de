/** What the person did, and how to undo it. */
import { signal } from '@preact/signals'
import type { DoneView } from '../../api/views.ts'
import { post } from './api.ts'
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

/** Ids of what can be undone, newest last. */
const undos: string[] = []
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

const failedWith = (cause: unknown): void => tell(cause instanceof Error ? cause.message : String(cause), { failed: true })

/** Changes the home and tells what was done. Returns whether it worked. */
export const act = async (path: string, body?: unknown): Promise<boolean> => {
  try {
    const done = await post<DoneView>(path, body)
    if (done.undo !== undefined) undos.push(done.undo)
    tell(done.message, { undo: done.undo })
    return true
  } catch (cause) {
    failedWith(cause)
    return false
  } finally {
    changed()
  }
}

/** Undoes the named change, or the newest one. */
export const undo = async (id: string | undefined = undos.at(-1)): Promise<void> => {
  if (id === undefined) {
    tell('There is nothing to undo. What was done before this page was opened is in the journal.')
    return
  }
  const at = undos.indexOf(id)
  if (at >= 0) undos.splice(at, 1)
  messages.value = messages.value.filter((message) => message.undo !== id)
  await act(`undo/${encodeURIComponent(id)}`)
}

/** Starts a job, whose progress is shown apart. */
export const start = async (path: string, body?: unknown): Promise<void> => {
  try {
    await post(path, body)
  } catch (cause) {
    failedWith(cause)
  } finally {
    changed()
  }
}
