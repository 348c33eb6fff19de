/** Opens the person's home for a hook, a tool or a review. The one place that says with which options, and for which project. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createHermes, type Hermes, type HermesEventListener, type HostModel, type StorageBackend } from '@hermes/core'
import type { ConfiguredOptions } from '@hermes/core/config'
import { fileSystemBackend } from '@hermes/core/file-system'
import type { ReviewQueue } from '@hermes/core/queue'
import type { AgentHost } from './agent-host.ts'
import { homeFolder } from './home-folder.ts'

/** Share of the host's own tokens that reviews may use. */
const BUDGET = 0.03
/** The settings of the home. Most have none, and what reads them takes a while to load. */
const configured = async (storage: StorageBackend): Promise<Partial<ConfiguredOptions>> => {
  if (!existsSync(join(homeFolder(), 'config.yaml'))) return {}
  const { readHermesConfig, toHermesOptions } = await import('@hermes/core/config')
  const read = await readHermesConfig(storage)
  if (!read.ok) throw read.error
  return toHermesOptions(read.value.config)
}

export interface OpenOptions {
  readonly queue?: ReviewQueue
  readonly model?: HostModel
  readonly onEvent?: HermesEventListener
  /** Milliseconds that the storage may take, for a hook, which holds up its host. Default: those of core. */
  readonly storageMs?: number
}

export const openHome = async (host: AgentHost | undefined, { queue, model, onEvent, storageMs }: OpenOptions = {}): Promise<Hermes> => {
  const storage = fileSystemBackend(homeFolder(), { onWarning: () => {}, ...(storageMs === undefined ? {} : { timeoutMs: storageMs }) })
  return createHermes({
    ...(await configured(storage)),
    storage,
    sessions: {
      ...(storageMs === undefined ? {} : { loadTimeoutMs: storageMs }),
      ...(host ? { maxBlockChars: host.maxBlockChars } : {}),
    },
    review: { budget: BUDGET, ...(queue ? { queue } : {}), ...(model ? { model } : {}) },
    ...(onEvent ? { onEvent } : {}),
  })
}

/** The session of Hermes for one of the host: two hosts may use the same id. */
export const sessionName = (host: AgentHost, sessionId: string): string => `${host.name}:${sessionId}`
