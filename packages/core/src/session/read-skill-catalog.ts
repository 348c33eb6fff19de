/** Reads the skills and renders the catalogue that is frozen behind the memory blocks (seed 001, DESIGN 3). */

import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { renderSkillCatalog } from '../skills/skill-catalog.ts'
import type { SkillReader } from '../skills/skill-reader.ts'
import { scanThreats } from '../threats/threat-scan.ts'
import type { UsageStore } from '../usage/usage-store.ts'
import { type SessionSkills, stateOfPresent } from './session-skills.ts'

export interface ReadCatalog {
  /** `undefined` where there is nothing to show. */
  readonly text: string | undefined
  /** Skills that could not be read and are left out. */
  readonly problems: readonly HermesError[]
}

export interface CatalogSource extends Pick<SessionSkills, 'catalog'> {
  readonly reader: SkillReader
  readonly usage: UsageStore
  /** What the agent has to call a tool of this name; undefined where it is not offered. */
  readonly toolName: (tool: string) => string | undefined
}

export const readSkillCatalog = async ({ reader, usage, catalog, toolName }: CatalogSource): Promise<Result<ReadCatalog>> => {
  const [listed, records] = await Promise.all([reader.list(), usage.all()])
  if (!listed.ok) return listed
  const entries = listed.value.skills.map(({ name, description, category, path, sharedFrom }) => {
    const shared = sharedFrom !== undefined
    // The record of that name is the home's own, of a skill that was put away.
    const record = shared ? undefined : records.get(name)
    return {
      name,
      description,
      category,
      path,
      state: stateOfPresent(record),
      lastActivityAt: record?.lastActivityAt ?? 0,
      pinned: record?.pinned ?? false,
      shared,
    }
  })
  // Asked for at the last moment, when the host has offered its tools. A catalogue sends the agent to a tool, so without that tool there is none.
  const [view, list] = [toolName('skill_view'), toolName('skills_list')]
  const isSuspicious = (shown: string) => scanThreats(shown, 'context')
  const text = view === undefined ? undefined : renderSkillCatalog(entries, { ...catalog, tools: { view, list }, isSuspicious })
  return ok({ text, problems: listed.value.problems.filter(({ code }) => code === 'unreadable') })
}
