/** The skills of one shared storage: read only, and indexed once per process for each storage object, whatever the number of homes. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, type Result } from '../shared/result.ts'
import { guardedBackend } from '../storage/guarded-backend.ts'
import type { ReadableStorage, StorageBackend } from '../storage/storage-backend.ts'
import { SkillIndex, type SkillSurvey } from './skill-index.ts'

export interface SharedSkills {
  readonly storage: ReadableStorage
  /** Concurrent callers share one listing. */
  survey(): Promise<Result<SkillSurvey>>
}

/** Maximum number of skills of one shared storage. */
const MAX_SHARED_SKILLS = 1_000

/** Milliseconds after which an unfinished listing is not shared with new callers. */
const LOOK_LIMIT_MS = 60_000

/** A timer that does not keep the process alive, if the platform has such timers. */
const startTimer = (run: () => void, ms: number) => {
  const timer = setTimeout(run, ms)
  if (typeof timer === 'object') timer.unref()
  return timer
}

const createSharedSkills = (backend: StorageBackend): SharedSkills => {
  const { read, list } = guardedBackend(backend)
  const storage: ReadableStorage = { read, list }
  const index = new SkillIndex(storage, { maxSkills: MAX_SHARED_SKILLS })
  const look = async (): Promise<Result<SkillSurvey>> => {
    try {
      return await index.survey()
    } catch (cause) {
      return err(new HermesError('io', `searching them failed: ${String(cause)}`, { cause }))
    }
  }
  let underWay: Promise<Result<SkillSurvey>> | undefined
  const begin = (): Promise<Result<SkillSurvey>> => {
    const mine = look()
    const end = () => {
      clearTimeout(timer)
      if (underWay === mine) underWay = undefined
    }
    const timer = startTimer(end, LOOK_LIMIT_MS)
    void mine.then(end)
    return mine
  }
  return {
    storage,
    survey: () => {
      underWay ??= begin()
      return underWay
    },
  }
}

const opened = new WeakMap<StorageBackend, SharedSkills>()

export const openSharedSkills = (backend: StorageBackend): SharedSkills => {
  const known = opened.get(backend) ?? createSharedSkills(backend)
  opened.set(backend, known)
  return known
}
