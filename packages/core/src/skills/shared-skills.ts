/** The skills of one shared storage: only ever read, and indexed once per process for each storage object, for however many homes. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, type Result } from '../shared/result.ts'
import { guardedBackend } from '../storage/guarded-backend.ts'
import type { ReadableStorage, StorageBackend } from '../storage/storage-backend.ts'
import { SkillIndex, type SkillSurvey } from './skill-index.ts'

export interface SharedSkills {
  readonly storage: ReadableStorage
  /** Callers at the same time share one look. */
  survey(): Promise<Result<SkillSurvey>>
}

/** Skills of one shared storage. */
export const MAX_SHARED_SKILLS = 1_000

/** Milliseconds after which a look that has not ended is no longer shared with new callers. */
const LOOK_LIMIT_MS = 60_000

/** A timer that does not keep its process alive, where the platform has such. */
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
      return err(new HermesError('io', `looking through them failed: ${String(cause)}`, { cause }))
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
