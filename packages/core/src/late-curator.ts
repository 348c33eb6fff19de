/** `hermes.curator`, whose code is loaded when a verb is first called: most processes never call one. */
import type { CuratorDeps } from './curator/curator-runs.ts'
import type { HermesCurator } from './curator/hermes-curator.ts'
import { lateVerbs, loadOnce, withLate } from './shared/load-late.ts'
import { ok } from './shared/result.ts'

const CURATOR = 'The curator'

export interface LateCurator {
  readonly curator: HermesCurator
  /** True if no run that was started here is in progress. */
  readonly idle: boolean
  /** Resolves once no run is in progress. */
  settled(): Promise<void>
  /** Runs in progress end after their current step, and no other starts. */
  stop(): void
}

export const lateCurator = (deps: CuratorDeps): LateCurator => {
  const stopping = new AbortController()
  const load = loadOnce(async () => {
    const { createCurator } = await import('./curator/create-curator.ts')
    const { curator, stop } = createCurator(deps)
    if (stopping.signal.aborted) stop()
    stopping.signal.addEventListener('abort', stop, { once: true })
    return curator
  })
  const late = lateVerbs(CURATOR, load)

  const underWay = new Set<Promise<unknown>>()
  const tracked =
    <Given extends readonly unknown[], T>(run: (...given: Given) => Promise<T>) =>
    (...given: Given): Promise<T> => {
      const done = run(...given).finally(() => underWay.delete(done))
      underWay.add(done)
      return done
    }

  return {
    curator: {
      maybeRun: tracked(async (...given) => {
        const loaded = await withLate(CURATOR, load, async (curator) => ok(curator))
        return loaded.ok ? loaded.value.maybeRun(...given) : { ran: false, reason: 'failed', error: loaded.error }
      }),
      run: tracked(late(({ run }) => run)),
      status: late(({ status }) => status),
      pause: late(({ pause }) => pause),
      resume: late(({ resume }) => resume),
      pin: late(({ pin }) => pin),
      unpin: late(({ unpin }) => unpin),
      archive: late(({ archive }) => archive),
      restore: late(({ restore }) => restore),
      listArchived: late(({ listArchived }) => listArchived),
      manage: late(({ manage }) => manage),
      unmanage: late(({ unmanage }) => unmanage),
      grants: late(({ grants }) => grants),
      backup: late(({ backup }) => backup),
      backups: late(({ backups }) => backups),
      rollback: late(({ rollback }) => rollback),
      prunable: late(({ prunable }) => prunable),
      prune: late(({ prune }) => prune),
    },
    get idle() {
      return underWay.size === 0
    },
    async settled() {
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
    stop: () => stopping.abort(),
  }
}
