/** The skills that were merged into a skill: the text of each as the merge kept it, and its entry in the archive. */
import { type Hermes, ok, type Result } from '@hermes/core'
import type { MergeView } from './views.ts'

const MAX_MERGES = 20

/** Newest first. `files`: of the skill at `path`. */
export const readMerges = async (
  hermes: Hermes,
  skill: { readonly name: string; readonly path: string; readonly files: readonly string[] },
): Promise<Result<readonly MergeView[]>> => {
  const archive = await hermes.curator.listArchived()
  if (!archive.ok) return archive
  const sources = archive.value.entries.filter(({ absorbedInto }) => absorbedInto === skill.name).slice(0, MAX_MERGES)
  const read = async (file: string): Promise<string | undefined> => {
    if (!skill.files.includes(file)) return undefined
    const viewed = await hermes.skillReader().view(skill.path, file)
    return viewed.ok ? viewed.value.content : undefined
  }
  const views = sources.map(
    async ({ id, name, archivedAt, reason }): Promise<MergeView> => ({
      id,
      name,
      archivedAt,
      reason,
      text: await read(`references/${name}.md`),
    }),
  )
  return ok(await Promise.all(views))
}
