/** A home as newer Python Hermes leaves it: its ledger of changes to skills, and the files of then, named by their SHA-256. */
import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'

type Files = Readonly<Record<string, string | Uint8Array>>

export interface PythonEntry {
  readonly id: string
  readonly action: string
  readonly skill: string
  /** By their path in `skills/`. */
  readonly before?: Files
  readonly after?: Files
  readonly ts?: string
  readonly actor?: string
  readonly evidence?: Readonly<Record<string, unknown>>
}

export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')

/** As Python writes JSON. */
const dump = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(dump).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${dump(item)}`)
    .join(', ')}}`
}

export const pythonHome = () => {
  const folder = temporaryFolder()
  const blobs = join(folder, '.curator_backups/blobs')
  const ledger = join(folder, 'skills/.curator_ledger.jsonl')
  mkdirSync(join(folder, 'skills'), { recursive: true })
  mkdirSync(blobs, { recursive: true })
  const manifest = (files: Files) =>
    Object.entries(files).map(([path, content]) => {
      writeFileSync(join(blobs, sha256(content)), content)
      return { path: join(folder, 'skills', path), sha256: sha256(content) }
    })
  /** The line of an entry, whose files are kept. */
  const lineOf = ({ id, action, skill, before = {}, after = {}, ts, actor = 'agent', evidence = {} }: PythonEntry): string =>
    `${dump({ id, ts: ts ?? '2026-11-20T10:00:00.123456+00:00', actor, action, skill, evidence, before: manifest(before), after: manifest(after) })}\n`
  return {
    folder,
    blobs,
    ledger,
    lineOf,
    append: (...entries: readonly PythonEntry[]) => appendFileSync(ledger, entries.map(lineOf).join('')),
    /** Puts the files of a skill in their place. */
    place: (files: Files) => {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(join(folder, 'skills', path, '..'), { recursive: true })
        writeFileSync(join(folder, 'skills', path), content)
      }
    },
    storage: () => fileSystemBackend(folder),
  }
}
