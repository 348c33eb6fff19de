/** What must hold in a home after a fault, whatever was interrupted. Each check returns what is wrong, in words. */

import { gunzipSync } from 'node:zlib'
import type { StorageBackend } from '@hermes/core'
import { readDocument } from '@hermes/core/storage'
import { type Expected, FACT, KEPT, MARKER, openAt, SKILLS, skillText, unwrap } from './scenarios.ts'

const faultOf = (path: string, bytes: Uint8Array): string | undefined => {
  const text = () => new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  try {
    if (path.endsWith('.json')) JSON.parse(text())
    else if (path.endsWith('.jsonl'))
      for (const line of text().split('\n')) {
        if (line !== '') JSON.parse(line)
      }
    else if (path.endsWith('.gz')) gunzipSync(bytes)
    else if (path.endsWith('SKILL.md') && !Object.keys(SKILLS).some((name) => text() === skillText(name))) return 'is not a whole skill'
    else if (path.endsWith('.md')) text()
    return undefined
  } catch (cause) {
    return `is half a document (${String(cause)})`
  }
}

/** Every document is whole. */
export const findHalfDocuments = async (storage: StorageBackend): Promise<readonly string[]> => {
  const wrong: string[] = []
  for (const { path } of unwrap(await storage.list(''))) {
    const document = unwrap(await readDocument(storage, path))
    const fault = document && faultOf(path, document.bytes)
    if (fault !== undefined) wrong.push(`'${path}' ${fault}`)
  }
  return wrong
}

const documentsWith = async (storage: StorageBackend, text: string): Promise<readonly string[]> => {
  const found: string[] = []
  for (const { path } of unwrap(await storage.list(''))) {
    const { bytes } = unwrap(await readDocument(storage, path)) ?? { bytes: new Uint8Array() }
    const content = Buffer.from(bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8')
    if (content.includes(text)) found.push(path)
  }
  return found
}

/** Each skill is in one place, live or in the archive. */
const checkSkills = async (storage: StorageBackend, archived: readonly string[] | undefined): Promise<readonly string[]> => {
  const paths = unwrap(await storage.list('skills')).map(({ path }) => path)
  return Object.keys(SKILLS).flatMap((name) => {
    const live = paths.includes(`skills/${name}/SKILL.md`) ? 1 : 0
    const inArchive = new RegExp(`^skills/\\.archive/${name}(?:-[^/]*)?/SKILL\\.md$`)
    const places = live + paths.filter((path) => inArchive.test(path)).length
    if (places !== 1) return [`the skill '${name}' is in ${places} places`]
    if (archived && archived.includes(name) === (live === 1)) return [`the skill '${name}' is ${live === 1 ? 'live' : 'archived'}`]
    return []
  })
}

/** That what was acknowledged is there, and what was there before. */
export const checkHome = async (storage: StorageBackend, at: number, expected: Expected): Promise<readonly string[]> => {
  const wrong: string[] = []
  const hermes = openAt(storage, at)
  const entries = unwrap(await hermes.memoryStore().current('memory'))
  if (!entries.includes(KEPT)) wrong.push('an earlier entry of memory is lost')
  if (expected.hasFact && entries.filter((entry) => entry === FACT).length !== 1)
    wrong.push('an acknowledged entry of memory is not there once')
  if (expected.isErased) for (const path of await documentsWith(storage, MARKER)) wrong.push(`'${path}' still holds the erased text`)
  if (expected.unreadTurns !== undefined) {
    const stored = unwrap(await hermes.sessions.get('chat'))
    if (stored?.unreadTurns !== expected.unreadTurns)
      wrong.push(`${stored?.unreadTurns ?? 'no'} turns are stored, not ${expected.unreadTurns}`)
  }
  wrong.push(...(await checkSkills(storage, expected.archived)))
  return wrong
}
