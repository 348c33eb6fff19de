/** The stream of server-sent events to one open page. */
import type { Hermes, HermesEvent } from '@hermes/core'
import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { EventHub } from './event-hub.ts'
import { messageOfEvent, watchHome } from './live.ts'
import type { JobView } from './views.ts'

const LOOK_MS = 1_000
/** While a job runs. */
const BUSY_MS = 200
/** A comment keeps proxies from closing an idle stream. */
const BEAT_EVERY = 15

export const liveStream = (context: Context, hermes: Hermes, hub: EventHub, job: () => JobView | undefined): Response =>
  streamSSE(context, async (stream) => {
    const { user, tenant } = context.req.query()
    let open = true
    let wake = () => {}
    const end = () => {
      open = false
      wake()
    }
    stream.onAbort(end)
    hub.closed.addEventListener('abort', end)
    const isOfHome = ({ owner }: HermesEvent) => owner === undefined || (owner.user === user && owner.tenant === tenant)
    const unlisten = hub.listen((event) => {
      if (isOfHome(event)) void stream.writeSSE({ event: 'live', data: JSON.stringify(messageOfEvent(event)) })
    })
    let isChanged = false
    const unwatch = hub.onChange(() => {
      isChanged = true
      wake()
    })
    const home = watchHome(hermes)
    let told = ''
    try {
      for (let round = 0; open && !hub.closed.aborted; round++) {
        isChanged = false
        const message = await home.look()
        if (message) await stream.writeSSE({ event: 'live', data: JSON.stringify(message) })
        const running = JSON.stringify(job() ?? null)
        if (running !== told) await stream.writeSSE({ event: 'job', data: running })
        told = running
        if (round % BEAT_EVERY === 0) await stream.write(': still here\n\n')
        if (isChanged || !open) continue
        const timer = await new Promise<ReturnType<typeof setTimeout>>((resolve) => {
          const started = setTimeout(() => resolve(started), job()?.state === 'running' ? BUSY_MS : LOOK_MS)
          wake = () => resolve(started)
        })
        clearTimeout(timer)
      }
    } finally {
      unlisten()
      unwatch()
      hub.closed.removeEventListener('abort', end)
    }
  })
