/** `hermes.curator`, whose code is loaded when a verb is first called: most processes never call one. */
import type { HermesCurator } from './curator/curator.ts'
import type { Home } from './home.ts'
import { BackgroundTasks } from './session/background-tasks.ts'
import { lazyVerbs, loadOnce, withLazy } from './shared/lazy.ts'
import { ok } from './shared/result.ts'

const CURATOR = 'The curator'

export class HomeCurator {
  readonly verbs: HermesCurator
  /** The runs that were started here. */
  readonly runs: BackgroundTasks
  readonly #stopping = new AbortController()

  constructor(home: Home) {
    this.runs = new BackgroundTasks({ onCrash: home.crashed, onBackgroundFailure: home.crashed })
    const load = loadOnce(
      async (): Promise<HermesCurator> => new (await import('./curator/curator.ts')).Curator(home, this.#stopping.signal),
    )
    const state = lazyVerbs(CURATOR, load, 'run', 'status', 'pause', 'resume', 'grants', 'manage', 'unmanage')
    const skills = lazyVerbs(CURATOR, load, 'pin', 'unpin', 'archive', 'restore', 'listArchived', 'prunable', 'prune')
    const backups = lazyVerbs(CURATOR, load, 'backup', 'backups', 'rollback')
    this.verbs = {
      ...state,
      ...skills,
      ...backups,
      run: (...given) => this.runs.resultOf(() => state.run(...given)),
      maybeRun: async (...given) => {
        const ran = await this.runs.resultOf(() => withLazy(CURATOR, load, async (curator) => ok(await curator.maybeRun(...given))))
        return ran.ok ? ran.value : { ran: false, reason: 'failed', error: ran.error }
      },
    }
  }

  /** Runs in progress end before their next update, and no other starts. */
  stop(): void {
    this.#stopping.abort()
  }
}
