/** Decides how a change that Python Hermes recorded is undone, from the files of then that it keeps. Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { readArchiveName } from '../skills/archive.ts'
import { SKILL_FILE } from '../storage/storage-paths.ts'
import type { PythonChange } from './journal-record.ts'
import type { UndoStep } from './undo-step.ts'

/** Texts by their SHA-256. */
export type PythonBlobs = ReadonlyMap<string, string>

const refuse = (message: string): Result<never> => err(new HermesError('rejected', message))

const NOT_KEPT =
  'Python Hermes does not keep what the files held then, or they were no text or too large, or have been forgotten, so it cannot be undone here.'
const BY_PYTHON = 'Python Hermes itself can undo it, with its own command hermes curator rollback and the id.'

type File = PythonChange['files'][number]

/** The SKILL.md first: without it there is no skill to write files to. */
const inOrder = (a: File, b: File): number => Number(b.path === SKILL_FILE) - Number(a.path === SKILL_FILE)

/** Each step checks that what it changes is still as Python left it, if that is kept, and is carried out by the store of skills, by the name of the skill: nothing is written at a path of the ledger. */
export const planPythonUndo = (
  { action, skill: name, files, elsewhere }: PythonChange,
  blobs: PythonBlobs,
): Result<readonly UndoStep[]> => {
  if (elsewhere > 0) return refuse(`It changed files outside the folder of the skill '${name}'. ${BY_PYTHON}`)
  if (files.length === 0) return refuse('Python Hermes recorded no changed file for it, so there is nothing to undo.')
  const main = files.filter(({ path }) => path === SKILL_FILE)
  const live = main.find((file) => file.archived === undefined)
  const archived = main.find((file) => file.archived !== undefined)
  if (archived?.after !== undefined) return ok([{ kind: 'restore-skill', name, at: readArchiveName(archived.archived ?? '').at }])
  const textOf = (hash: string | undefined): string | undefined => (hash === undefined ? undefined : blobs.get(hash))
  const left = textOf(live?.after)
  if (archived?.before !== undefined && live?.after !== undefined)
    return ok([{ kind: 'archive-skill', name, ...(left === undefined ? {} : { written: { text: left } }) }])
  if (files.some((file) => file.archived !== undefined)) return refuse(`It changed archived skills ('${action}'). ${BY_PYTHON}`)
  if (files.some(({ before, after }) => [before, after].some((hash) => hash !== undefined && !blobs.has(hash)))) return refuse(NOT_KEPT)
  if (live?.before === undefined && left !== undefined) return ok([{ kind: 'archive-skill', name, written: { text: left } }])
  const isGone = live?.before !== undefined && live.after === undefined
  return ok(
    files.toSorted(inOrder).map(({ path, category, before, after }): UndoStep => {
      const text = textOf(after)
      return {
        kind: 'skill-file',
        name: isGone && category !== undefined ? `${category}/${name.split('/').at(-1)}` : name,
        filePath: path,
        written: text === undefined ? undefined : { text },
        before: textOf(before),
      }
    }),
  )
}
