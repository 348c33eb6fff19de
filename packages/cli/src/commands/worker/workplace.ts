/** Where a worker works: the homes of a folder, its single home, or what a module of the host exports. */
import { setTimeout } from 'node:timers/promises'
import { createHermes, createHermesHomes, type Hermes, type HermesEvent, type HermesHomes, type Result } from '@hermes/core'
import { toHermesOptions } from '@hermes/core/config'
import { storageReviewQueue, type WorkOptions, type WorkReport } from '@hermes/core/queue'
import type { Failure } from '../../answer.ts'
import type { Context } from '../../context.ts'
import { holdsOwners, holdsSessions, lookAtHome } from '../../home-folder.ts'
import { loadConfiguredProvider } from '../../open-hermes.ts'
import { isFailure as isModelFailure, openReviewModel } from '../curator/review-model.ts'
import { loadHostModule } from '../host-module.ts'
import { sharedSkills } from '../skills/shared-skills.ts'

/** Milliseconds between two looks into a folder that nobody has used yet. */
const LOOK_MS = 2_000

interface Workplace {
  /** Shown to a person. */
  readonly label: string
  work(options: WorkOptions): Promise<Result<WorkReport>>
  close(): Promise<void>
}

export const isFailure = (opened: Workplace | Failure): opened is Failure => 'code' in opened

type Worker = Omit<Workplace, 'label'>

const openModule = async (path: string, { world }: Context): Promise<Workplace | Failure> => {
  const loaded = await loadHostModule(path, ['work', 'close'])
  if ('failure' in loaded) return loaded.failure
  const worker = loaded.target as Worker
  const close = async () => {
    await worker.close()
    world.endSoon()
  }
  return { label: path, work: (options) => worker.work(options), close }
}

/** Only the first conversation shows whether the folder holds the homes of many people or a single one. */
const untilUsed = async (home: string, signal: AbortSignal | undefined): Promise<void> => {
  while (!signal?.aborted && !holdsOwners(home) && !holdsSessions(home)) {
    await setTimeout(LOOK_MS, undefined, signal ? { signal } : {}).catch(() => undefined)
  }
}

const openFolder = async (model: string | undefined, context: Context): Promise<Workplace | Failure> => {
  const { root, home, clock, config, world, warn } = context
  if (lookAtHome(home) !== 'there') return { code: 'not_found', message: `There is no Hermes home at '${home}'. Name one with --home.` }
  const reviewer = await openReviewModel(model, context, 'A worker needs a model.')
  if (isModelFailure(reviewer)) return reviewer
  const options = config.ok ? toHermesOptions(config.value.config) : undefined
  const provider = await loadConfiguredProvider(context)
  const queue = storageReviewQueue({ storage: root, clock, onProblem: ({ message }) => warn(message) })
  const opened = {
    ...options,
    memory: { ...options?.memory, ...(provider ? { provider } : {}) },
    skills: { shared: sharedSkills({ config, home }) },
    storage: root,
    clock,
    createId: world.createId,
    review: { model: reviewer.model, queue },
    onEvent: (event: HermesEvent) => {
      if (event.type === 'storage-failed' || event.type === 'provider-failed') warn(event.error.message)
    },
  }
  let worker: Hermes | HermesHomes | undefined
  const work: Worker['work'] = async (asked) => {
    if (!asked.once) await untilUsed(home, asked.signal)
    worker = holdsOwners(home) ? createHermesHomes(opened) : createHermes(opened)
    return worker.work(asked)
  }
  // Closing the worker closes the storage too, which the caller may still read; a provider must be shut down.
  if (provider) context.atEnd(async () => worker?.close())
  return { label: `'${home}' with ${reviewer.label}`, work, close: async () => worker?.settled() }
}

/** `module`: the path of a module that exports `homes` or `hermes`; otherwise the folder of the command. */
export const openWorkplace = (
  { module, model }: { readonly module: string | undefined; readonly model: string | undefined },
  context: Context,
): Promise<Workplace | Failure> => (module === undefined ? openFolder(model, context) : openModule(module, context))
