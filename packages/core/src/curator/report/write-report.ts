/**
 * Writes `logs/curator/<YYYYMMDD-HHMMSS[-N]>/{run.json,REPORT.md}`, with the keys of Python Hermes where it has them (reference
 * skills-curator 15).
 */

import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { UNCHANGED, updateDocument } from '../../storage/one-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { toPythonJson } from '../../usage/python-json.ts'
import { formatPythonTime } from '../../usage/python-time.ts'
import { countTransitions } from './curator-report.ts'
import { type ReportFacts, renderCuratorReport } from './report-text.ts'

export const CURATOR_LOGS_FOLDER = 'logs/curator'

const MAX_SERIAL = 1_000

/** Keys and values for `run.json` that a consolidation fills in; they replace the empty ones. */
export type RunJsonExtras = Readonly<Record<string, unknown>>

export interface RunFacts extends ReportFacts {
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly endedAt: number
  readonly extras?: RunJsonExtras | undefined
}

const folderName = (at: number): string =>
  new Date(at).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length).replace(/[-:]/g, '').replace('T', '-')

const sizeOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0)

const toRunJson = ({ report, startedAt, endedAt, backupId, error, extras = {} }: RunFacts): Readonly<Record<string, unknown>> => {
  const { transitioned, skipped, repaired, warnings, dryRun, aborted } = report
  const { checked, markedStale, archived, reactivated } = countTransitions(report)
  const names = transitioned.filter(({ to }) => to === 'archived').map(({ name }) => name)
  return {
    started_at: formatPythonTime(startedAt),
    duration_seconds: (endedAt - startedAt) / 1000,
    model: null,
    provider: null,
    auto_transitions: { checked, marked_stale: markedStale, archived, reactivated, seeded: 0 },
    counts: {
      archived_this_run: archived,
      state_transitions: transitioned.length,
      skipped: skipped.length,
      repaired: repaired.length,
      consolidated_this_run: sizeOf(extras['consolidated']),
      pruned_this_run: sizeOf(extras['pruned']),
      added_this_run: sizeOf(extras['added']),
      tool_calls_total: 0,
    },
    archived: names,
    consolidated: [],
    pruned: [],
    pruned_names: [],
    added: [],
    state_transitions: transitioned.map(({ name, from, to, reason, archivedAs }) => ({
      name,
      from,
      to,
      reason,
      ...(archivedAs === undefined ? {} : { archived_as: archivedAs }),
    })),
    skipped,
    repaired,
    warnings,
    dry_run: dryRun,
    aborted,
    backup: backupId ?? null,
    error: error ?? null,
    llm_summary: null,
    ...extras,
  }
}

const writeNew = async (storage: StorageBackend, path: string, text: string): Promise<Result<boolean>> => {
  let isOurs = false
  const written = await updateDocument(storage, path, (current) => {
    isOurs = current === undefined
    return isOurs ? new TextEncoder().encode(text) : UNCHANGED
  })
  return written.ok ? ok(isOurs) : written
}

/** Returns the folder. Two runs of the same second get different folders. */
export const writeCuratorReport = async (storage: StorageBackend, facts: RunFacts): Promise<Result<string>> => {
  const json = `${toPythonJson(toRunJson(facts))}\n`
  const base = `${CURATOR_LOGS_FOLDER}/${folderName(facts.startedAt)}`
  for (let serial = 1; serial <= MAX_SERIAL; serial++) {
    const folder = serial === 1 ? base : `${base}-${serial}`
    const isOurs = await writeNew(storage, `${folder}/run.json`, json)
    if (!isOurs.ok) return isOurs
    if (!isOurs.value) continue
    const text = await writeNew(storage, `${folder}/REPORT.md`, renderCuratorReport(facts))
    return text.ok ? ok(folder) : text
  }
  return err(new HermesError('occupied', `There are ${MAX_SERIAL} reports of this second already. Clear '${CURATOR_LOGS_FOLDER}'.`))
}
