/**
 * Turns a plan into the exact bytes of an umbrella: its text, and beside it the verbatim text and the support files of every source, so
 * that the umbrella alone holds everything. Pure.
 */

import { refuseNewSkillText } from '../../gate/skill-text.ts'
import type { MergedText } from '../../gate/trace-merge.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { checkNewSkill, checkSkillEdit, parseSkillDocument } from '../../skills/parse-skill-document.ts'
import { decodeSkillText } from '../../skills/read-skill.ts'
import { type SkillFolder, toDocumentPath } from '../../skills/skill-discovery.ts'
import { checkSupportFilePath, checkSupportFileSize } from '../../skills/support-file.ts'
import type { DocumentContent } from '../../storage/storage-backend.ts'
import { checkStoragePath } from '../../storage/storage-paths.ts'
import { contentWords } from '../../text/content-words.ts'
import type { ConsolidationMethod } from '../report.ts'
import type { ShownSkill } from './library.ts'
import {
  addPointers,
  type CarriedFile,
  carryFiles,
  freeFolder,
  freeReference,
  isAboutSomethingElse,
  keepFrontMatter,
  type Pointer,
  rewriteLinks,
} from './merged-text.ts'
import type { PlannedSource, PlannedUmbrella } from './rules.ts'

interface PreparedSource {
  readonly skill: ShownSkill
  readonly method: ConsolidationMethod
  readonly reason: string
  /** Files of the umbrella that hold the source's content. */
  readonly files: readonly string[]
  /** Copies of its support files. */
  readonly carried: readonly CarriedFile[]
}

export interface PreparedUmbrella {
  readonly folder: SkillFolder & { readonly name: string }
  /** The skill as read; `undefined` for a new one. */
  readonly before: Pick<ShownSkill, 'text' | 'version'> | undefined
  /** The whole SKILL.md. */
  readonly content: string
  /** What of it the model wrote, to be traced to the sources. */
  readonly merged: MergedText
  /** New support files. */
  readonly writes: readonly (DocumentContent & { readonly filePath: string })[]
  /** Those of the new files that the model wrote. */
  readonly written: PlannedUmbrella['files']
  readonly sources: readonly PreparedSource[]
  /** Owner of a new umbrella: it is the agent's only if all its sources are. */
  readonly createdBy: 'agent' | null
  readonly score: number
}

/** A skill with all files in its folder. */
export interface SkillPackage {
  readonly skill: ShownSkill
  readonly files: ReadonlyMap<string, DocumentContent>
}

const invalid = (message: string): Result<never> => err(new HermesError('invalid', message))

const textsIn = (files: Iterable<DocumentContent>): readonly string[] => [...files].flatMap(({ bytes }) => decodeSkillText(bytes) ?? [])

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Whether a skill may have this file, whatever it says. */
export const checkFile = (path: string, bytes: Uint8Array): HermesError | undefined => {
  const checked = checkSupportFilePath(path)
  if (!checked.ok) return checked.error
  const sized = checkSupportFileSize(path, bytes, undefined)
  return sized.ok ? undefined : sized.error
}

interface Build {
  /** New support files by path in the umbrella. */
  readonly files: Map<string, DocumentContent>
  readonly pointers: Pointer[]
}

const isTaken =
  ({ files }: Build, umbrella: SkillPackage | undefined) =>
  (path: string): boolean =>
    files.has(path) || (umbrella?.files.has(path) ?? false)

/** Copies the support files of one source, under a folder named after the source. */
const carryOne = (source: SkillPackage, build: Build, umbrella: SkillPackage | undefined): Result<readonly CarriedFile[]> => {
  const taken = [...build.files.keys(), ...(umbrella?.files.keys() ?? [])]
  const carried = carryFiles([...source.files.keys()], freeFolder(source.skill.folderName, taken))
  for (const { from, to } of carried) {
    const file = source.files.get(from)
    if (file === undefined) continue
    const unfit = checkFile(to, file.bytes)
    if (unfit)
      return invalid(
        `'${source.skill.name}' cannot be merged as a whole, so it stays: its file '${from}' cannot be carried along. ${unfit.message}`,
      )
    build.files.set(to, file)
  }
  return ok(carried)
}

const addModelFiles = ({ name, files }: PlannedUmbrella, build: Build, umbrella: SkillPackage | undefined): Result<void> => {
  for (const { path, content } of files) {
    if (isTaken(build, umbrella)(path)) return invalid(`'${path}' of '${name}' exists already and is not overwritten.`)
    const bytes = encode(content)
    const unfit = checkFile(path, bytes)
    if (unfit) return err(unfit)
    const refused = refuseNewSkillText('', content)
    if (refused !== undefined) return err(new HermesError('blocked', refused))
    build.files.set(path, { bytes })
  }
  return ok(undefined)
}

const keepWhole = (skill: ShownSkill, name: string, build: Build, umbrella: SkillPackage | undefined): string => {
  const path = freeReference(name, isTaken(build, umbrella))
  build.files.set(path, { bytes: skill.bytes })
  build.pointers.push({ paths: [path], about: skill.description })
  return path
}

/** The model's text or the existing one, with the existing front matter and with links to the new paths. */
const baseText = ({ content }: PlannedUmbrella, umbrella: SkillPackage | undefined, moved: readonly CarriedFile[]): string => {
  if (content === undefined) return umbrella?.skill.text ?? ''
  const linked = rewriteLinks(content, moved)
  return umbrella ? keepFrontMatter(umbrella.skill.text, linked) : linked
}

const checkText = (name: string, folderName: string, before: string | undefined, content: string): HermesError | undefined => {
  const checked = before === undefined ? checkNewSkill(content, folderName) : checkSkillEdit(before, content, folderName)
  if (!checked.ok) return checked.error
  if (parseSkillDocument(content, { folderName }).name !== name)
    return new HermesError('invalid', `The front matter of the umbrella '${name}' names another skill.`)
  const refused = refuseNewSkillText(before ?? '', content)
  return refused === undefined ? undefined : new HermesError('blocked', refused)
}

const folderOf = ({ name, existing, category }: PlannedUmbrella): PreparedUmbrella['folder'] =>
  existing
    ? { name, path: existing.path, folderName: existing.folderName, category: existing.category }
    : { name, path: category === undefined ? name : `${category}/${name}`, folderName: name, category }

/** Adds every source verbatim as a reference, and the umbrella's own former text if it is rewritten. */
const keepSources = (
  sources: readonly (PlannedSource & { readonly carried: readonly CarriedFile[] })[],
  text: string,
  build: Build,
  umbrella: SkillPackage | undefined,
): Result<readonly PreparedSource[]> => {
  const words = contentWords([text, ...textsIn(build.files.values()), ...textsIn(umbrella?.files.values() ?? [])].join('\n\n'))
  const merged = sources.filter(({ method }) => method !== 'demote').map(({ skill }) => skill)
  const elsewhere = [...merged, ...(umbrella ? [umbrella.skill] : [])].find((skill) => isAboutSomethingElse(skill.text, words))
  if (elsewhere) return invalid(`The text contains hardly anything of '${elsewhere.name}', so it cannot replace it.`)
  if (umbrella && text !== umbrella.skill.text) keepWhole(umbrella.skill, `${umbrella.skill.folderName}-earlier`, build, umbrella)
  const kept = sources.map(({ skill, method, reason, carried }): PreparedSource => {
    const whole = keepWhole(skill, skill.folderName, build, umbrella)
    const files = [...(method === 'demote' ? [] : ['SKILL.md']), whole, ...carried.map(({ to }) => to)]
    return { skill, method, reason, files, carried }
  })
  return ok(kept)
}

interface MergedParts {
  readonly sources: readonly (PlannedSource & { readonly carried: readonly CarriedFile[] })[]
  readonly kept: readonly CarriedFile[]
  readonly umbrella: SkillPackage | undefined
  readonly build: Build
}

const toMergedText = (plan: PlannedUmbrella, text: string, { sources, kept, umbrella, build }: MergedParts): MergedText => {
  const { category } = folderOf(plan)
  const isNew = category !== undefined && !umbrella && !sources.some(({ skill }) => skill.category === category)
  return {
    content: text,
    places: isNew ? [category] : [],
    files: plan.files,
    paths: [...build.files.keys(), ...(umbrella?.files.keys() ?? [])],
    sources: [
      ...sources.map(({ skill, carried }) => [rewriteLinks(skill.text, kept), rewriteLinks(skill.text, carried), skill.text]),
      ...(umbrella ? [[umbrella.skill.text, rewriteLinks(umbrella.skill.text, kept)]] : []),
    ],
  }
}

/**
 * `umbrella`: `undefined` for a new one; `packages` by name. On `invalid`, `invalid_path`, `over_limit` or `blocked` nothing is written.
 */
export const prepareUmbrella = (
  plan: PlannedUmbrella,
  umbrella: SkillPackage | undefined,
  packages: ReadonlyMap<string, SkillPackage>,
): Result<PreparedUmbrella> => {
  const build: Build = { files: new Map(), pointers: [] }
  const sources: (PlannedSource & { readonly carried: readonly CarriedFile[] })[] = []
  for (const source of plan.sources) {
    const whole = packages.get(source.skill.name)
    if (!whole) return invalid(`'${source.skill.name}' is gone, so nothing was merged.`)
    const carried = carryOne(whole, build, umbrella)
    if (!carried.ok) return carried
    sources.push({ ...source, carried: carried.value })
  }
  const added = addModelFiles(plan, build, umbrella)
  if (!added.ok) return added

  const moved = sources.filter(({ method }) => method !== 'demote').flatMap(({ carried }) => carried)
  const kept = moved.filter(({ from }) => !isTaken(build, umbrella)(from))
  const text = baseText(plan, umbrella, kept)
  const settled = keepSources(sources, text, build, umbrella)
  if (!settled.ok) return settled
  const untold = sources.flatMap(({ skill, carried }): Pointer[] => {
    const paths = carried.map(({ to }) => to).filter((path) => !text.includes(path))
    return paths.length === 0 ? [] : [{ paths, about: `came with ${skill.name}` }]
  })
  const content = addPointers(text, [...build.pointers, ...untold])
  const folder = folderOf(plan)
  const unfit = checkText(plan.name, folder.folderName, umbrella?.skill.text, content)
  if (unfit) return err(unfit)
  for (const [path, { bytes }] of build.files) {
    const wrong = checkFile(path, bytes)
    if (wrong) return err(wrong)
    // Paths get longer by the folder: one that no storage accepts is refused first, since it could not be undone either.
    const place = checkStoragePath(toDocumentPath(folder, path))
    if (!place.ok) return place
  }
  return ok({
    folder,
    before: umbrella && { text: umbrella.skill.text, version: umbrella.skill.version },
    content,
    merged: toMergedText(plan, text, { sources, kept, umbrella, build }),
    writes: [...build.files].map(([filePath, { bytes, executable = false }]) => ({ filePath, bytes, executable })),
    written: plan.files,
    sources: settled.value,
    createdBy: sources.every(({ skill }) => skill.owner === 'agent') ? 'agent' : null,
    score: plan.score,
  })
}
