/** What happens in the home while the page is open. */
import { effect, signal } from '@preact/signals'
import type { JobView, LiveMessage, Stage } from '../../api/views.ts'
import { address, signedOut } from './api.ts'

/** Grows with every change in the home: screens read again. */
export const version = signal(0)
export const job = signal<JobView | undefined>(undefined)
export const connected = signal(false)
export const lit = signal<readonly Stage[]>([])
export const said = signal('')

const SHOWN_MS = 2_500
/** Several changes at once are one reading. */
const PAUSE_MS = 120

let isPending = false
let fading: ReturnType<typeof setTimeout> | undefined

export const changed = (): void => {
  if (isPending) return
  isPending = true
  setTimeout(() => {
    isPending = false
    version.value += 1
  }, PAUSE_MS)
}

const show = ({ stages, said: lines }: LiveMessage): void => {
  const line = lines.at(-1)
  if (line !== undefined) said.value = line
  if (stages.length === 0) return
  lit.value = stages
  clearTimeout(fading)
  fading = setTimeout(() => {
    lit.value = []
  }, SHOWN_MS)
}

/** A browser keeps only a few connections to one host: a tab that nobody sees gives its own back. */
const visible = signal(!document.hidden)

/** Grows to connect anew. */
const attempts = signal(0)
/** A browser tries again by itself only if there was no answer at all, not after one such as 503. */
const RETRY_MS = 3_000

document.addEventListener('visibilitychange', () => {
  visible.value = !document.hidden
  if (visible.value) changed()
})

/** Follows the home that is shown, while the page is seen, until the page is closed. `ready`: false while there is no home to follow. */
export const followHome = (ready: () => boolean): void => {
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    source?.close()
    clearTimeout(retry)
    attempts.value
    job.value = undefined
    connected.value = false
    if (!ready() || !visible.value || signedOut.value !== undefined) return
    const opened = new EventSource(address('live'))
    source = opened
    /** Whether the inspector has looked at the home since this connection was opened. */
    let isWatched = false
    source.addEventListener('open', () => {
      connected.value = true
      isWatched = false
    })
    source.addEventListener('error', () => {
      connected.value = false
      if (opened.readyState !== EventSource.CLOSED) return
      retry = setTimeout(() => {
        attempts.value += 1
        changed()
      }, RETRY_MS)
    })
    source.addEventListener('live', ({ data }: MessageEvent<string>) => {
      const message = JSON.parse(data) as LiveMessage
      show(message)
      if (message.changed) changed()
    })
    source.addEventListener('job', ({ data }: MessageEvent<string>) => {
      const next = (JSON.parse(data) as JobView | null) ?? undefined
      // The inspector tells what changes after its first look; screens may have read before it.
      if (!isWatched || next?.state !== job.value?.state) changed()
      isWatched = true
      job.value = next
    })
  })
}
