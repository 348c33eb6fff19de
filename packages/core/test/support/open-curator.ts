/** A curator over a storage, and its verbs as functions of one object, for tests of one verb. */
import type { ArchiveSkillOptions } from '../../src/curator/by-hand.ts'
import { Curator } from '../../src/curator/curator.ts'
import type { CuratorHome } from '../../src/curator/curator-home.ts'
import type { BackupSettings, HermesCuratorOptions } from '../../src/curator/curator-options.ts'
import type { CuratorReport } from '../../src/curator/report.ts'
import type { Clock } from '../../src/shared/clock.ts'
import { ok, type Result } from '../../src/shared/result.ts'
import { SkillStore } from '../../src/skills/skill-store.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { UsageStore } from '../../src/usage/usage-store.ts'

export type HomeParts = { readonly storage: StorageBackend; readonly clock: Clock } & Partial<
  Omit<CuratorHome, 'storage' | 'clock' | 'options'>
>

export const curatorHome = (parts: HomeParts, curator: HermesCuratorOptions = {}): CuratorHome => {
  const { storage, clock } = parts
  let ids = 0
  return {
    createId: () => `id-${++ids}`,
    gate: async () => ok({ verdict: 'approve', reason: 'A test.' }),
    actor: 'host',
    emit: () => undefined,
    activity: { lastStepAt: undefined },
    ...parts,
    // Over this storage, which may fail or count.
    skills: new SkillStore({ storage, clock }),
    usage: new UsageStore({ storage, clock }),
    options: { curator, review: {} },
  }
}

export const openCurator = (parts: HomeParts, curator?: HermesCuratorOptions): Curator => new Curator(curatorHome(parts, curator))

type BackupParts = HomeParts & BackupSettings

export const createSkillBackup = ({ reason, ...parts }: BackupParts & { readonly reason: string }) =>
  openCurator(parts, { backup: parts }).backup(reason)

export const rollback = ({ target, ...parts }: BackupParts & { readonly target?: string | undefined }) =>
  openCurator(parts, { backup: parts }).rollback(target)

export const archiveSkill = (target: string, parts: HomeParts, options?: ArchiveSkillOptions) => openCurator(parts).archive(target, options)

export const restoreSkill = (nameOrId: string, parts: HomeParts) => openCurator(parts).restore(nameOrId)

export type RunParts = HomeParts & HermesCuratorOptions & { readonly dryRun?: boolean; readonly signal?: AbortSignal }

/** A run, with the model that is given. */
export const curate = ({ dryRun, signal, consolidate, ...parts }: RunParts) =>
  openCurator(parts, parts).run({ dryRun, signal, consolidate })

export const maybeRunCurator = ({ idleMs, ...parts }: RunParts & { readonly idleMs?: number | undefined }) =>
  openCurator(parts, parts).maybeRun(idleMs === undefined ? {} : { idleMs })

/** The report of a run. */
export const runCurator = async ({ dryRun, signal, ...parts }: RunParts): Promise<Result<CuratorReport>> => {
  const ran = await openCurator(parts, { ...parts, model: undefined }).run({ dryRun, signal })
  return ran.ok ? ok(ran.value.report) : ran
}
