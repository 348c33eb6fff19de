/** Reads the skills of a merge with all files in their folders, and prepares the umbrella from them. */
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { toDocumentPath } from '../../skills/skill-discovery.ts'
import { MAX_SUPPORT_FILE_BYTES } from '../../skills/support-file.ts'
import { orError } from '../../storage/one-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { readShown, type ShownSkill } from './library.ts'
import { type PreparedUmbrella, prepareUmbrella, type SkillPackage } from './prepare.ts'
import type { PlannedUmbrella } from './rules.ts'

/** Errors that concern this umbrella only; any other error comes from the storage. */
const OWN_FAILURES: readonly HermesError['code'][] = ['invalid', 'invalid_path', 'over_limit', 'blocked', 'not_found', 'unreadable']

export const isAboutThePlan = ({ code }: HermesError): boolean => OWN_FAILURES.includes(code)

/** Maximum bytes of one skill's files. */
const MAX_PACKAGE_BYTES = 8 * MAX_SUPPORT_FILE_BYTES

/** `over_limit` if its files are too large. */
const loadPackage = async (skill: ShownSkill, storage: StorageBackend): Promise<Result<SkillPackage>> => {
  const size = skill.files.reduce((sum, file) => sum + file.size, 0)
  if (size > MAX_PACKAGE_BYTES || skill.files.some((file) => file.size > MAX_SUPPORT_FILE_BYTES)) {
    return err(new HermesError('over_limit', `The files of '${skill.name}' are too large to be carried along, so it stays.`))
  }
  const paths = skill.files.map(({ path }) => toDocumentPath(skill, path))
  if (paths.length === 0) return ok({ skill, files: new Map() })
  return orError(async () => {
    const cut = await storage.read(paths)
    if (!cut.ok) return cut
    // Files that are gone are left out.
    const files = skill.files.flatMap(({ path }) => {
      const document = cut.value.document(toDocumentPath(skill, path))
      return document ? [[path, document] as const] : []
    })
    return ok({ skill, files: new Map(files) })
  })
}

/** By name. */
const loadPackages = async (skills: readonly ShownSkill[], storage: StorageBackend): Promise<Result<ReadonlyMap<string, SkillPackage>>> => {
  const packages = new Map<string, SkillPackage>()
  for (const skill of skills) {
    const loaded = await loadPackage(skill, storage)
    if (!loaded.ok) return loaded
    packages.set(skill.name, loaded.value)
  }
  return ok(packages)
}

/** Fails as `prepareUmbrella` does, and with `not_found` if the umbrella is gone. */
export const loadAndPrepare = async (plan: PlannedUmbrella, storage: StorageBackend): Promise<Result<PreparedUmbrella>> => {
  const packages = await loadPackages(
    plan.sources.map(({ skill }) => skill),
    storage,
  )
  if (!packages.ok) return packages
  if (!plan.existing) return prepareUmbrella(plan, undefined, packages.value)
  const read = await readShown(storage, [plan.existing])
  if (!read.ok) return read
  const [now] = read.value
  if (!now) return err(new HermesError('not_found', `'${plan.name}' is gone or cannot be read, so nothing was merged into it.`))
  const umbrella = await loadPackage(now, storage)
  return umbrella.ok ? prepareUmbrella(plan, umbrella.value, packages.value) : umbrella
}
