/** What a memory provider may read of a home's archives. Loaded when a provider asks for it. */
import type { Home } from './home.ts'
import type { ArchivedEntry } from './memory/memory-archive.ts'
import { PERSON_TARGETS } from './memory/memory-op.ts'
import type { ArchivedItem } from './provider/memory-provider.ts'
import { ok, type Result } from './shared/result.ts'
import { ARCHIVE_FOLDER } from './skills/archive.ts'
import { SKILL_FILE } from './skills/skill-discovery.ts'
import { readDocument } from './storage/one-document.ts'

/** Archived entries whose text is stored, and archived skills; none of projects. A skill that cannot be read is left out. */
export const readArchived = async (home: Home): Promise<Result<readonly ArchivedItem[]>> => {
  const store = home.openMemory()
  const entries: ArchivedEntry[] = []
  for (const target of PERSON_TARGETS) {
    const found = await store.archived(target)
    if (!found.ok) return found
    entries.push(...found.value)
  }
  const listed = await home.skills.listArchived()
  if (!listed.ok) return listed
  const items = entries
    .sort((a, b) => b.forgottenAt - a.forgottenAt)
    .filter(({ redacted }) => redacted !== true)
    .map(({ id, target, text, forgottenAt }): ArchivedItem => ({ kind: 'entry', id, title: target, text, at: forgottenAt }))
  for (const { id, name, path, archivedAt } of listed.value.entries) {
    const file = await readDocument(home.storage, `${ARCHIVE_FOLDER}/${path}/${SKILL_FILE}`)
    if (file.ok && file.value)
      items.push({ kind: 'skill', id, title: name, text: new TextDecoder().decode(file.value.bytes), at: archivedAt })
  }
  return ok(items)
}
