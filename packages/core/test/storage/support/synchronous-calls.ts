/** `node synchronous-calls.ts <json>`: runs every operation of the back end and prints the synchronous calls that reached the home. */

import fs from 'node:fs'
import { symlink } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { moveDocuments, readDocument, updateDocument } from '../../../src/storage/one-document.ts'
import { open } from './open-file-system.ts'

const { home, ...config } = JSON.parse(process.argv[2] ?? '')
const calls: string[] = []

const { readlinkSync } = fs

const placeOf = (handle: string): string => {
  try {
    return readlinkSync(handle)
  } catch {
    return ''
  }
}

/** Whether the target is below the home: a path, a path through an open folder, or an open file. */
const reachesHome = (target: unknown): boolean => {
  if (typeof target === 'number') return placeOf(`/proc/self/fd/${target}`).startsWith(home)
  if (typeof target !== 'string') return false
  const handle = /^\/proc\/self\/fd\/\d+(?=\/)/.exec(target)?.[0]
  return (handle ? placeOf(handle) : target).startsWith(home)
}

for (const [name, call] of Object.entries(fs)) {
  if (typeof call !== 'function' || !name.endsWith('Sync')) continue
  const watched = (...args: unknown[]): unknown => {
    if (reachesHome(args[0])) calls.push(`${name} ${String(args[0])}`)
    return Reflect.apply(call, fs, args)
  }
  Object.assign(fs, { [name]: Object.assign(watched, call) })
}
syncBuiltinESMExports()

const storage = await open({ home, ...config })
const text = (value: string) => () => new TextEncoder().encode(value)
const outcomes = [
  await readDocument(storage, 'memories/MEMORY.md'),
  await updateDocument(storage, 'memories/MEMORY.md', text('first')),
  await updateDocument(storage, 'memories/MEMORY.md', text('second')),
  await updateDocument(storage, 'notes/deep/large', () => new Uint8Array(200_000)),
  await readDocument(storage, 'notes/deep/large'),
  await symlink('deep', join(home, 'notes/link')).then(() => updateDocument(storage, 'notes/link/small', text('through a link'))),
  await storage.list(''),
  await moveDocuments(storage, 'notes/deep', 'archive/deep'),
  await moveDocuments(storage, 'memories', 'archive/memories'),
  await updateDocument(storage, 'archive/deep/large', () => undefined),
]
await storage.close()
process.stdout.write(`${JSON.stringify({ outcomes: outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.error.message)), calls })}\n`)
