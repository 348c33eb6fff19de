/** Helpers of the export and import tests: homes filled by the real loop, their contents, and hand-made archives. */

import { execFileSync } from 'node:child_process'
import { gzipSync } from 'node:zlib'
import { manualClock } from '@hermes/testing'
import { createTarPacker } from 'modern-tar'
import { createHermes } from '../../src/create-hermes.ts'
import type { Hermes } from '../../src/hermes.ts'
import type { HermesOptions } from '../../src/hermes-options.ts'
import type { HostModel } from '../../src/model/host-model.ts'
import { sha256Of } from '../../src/shared/sha256.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { skillText, unwrap, write } from '../support/skill-library.ts'

const START = Date.UTC(2026, 2, 1, 9)

let homes = 0

export const openHome = (storage: StorageBackend = inMemoryBackend(), options: Partial<HermesOptions> = {}) => {
  const clock = manualClock(START + 30 * 24 * 3_600_000)
  const home = ++homes
  let ids = 0
  const failures: string[] = []
  const hermes = createHermes({
    storage,
    clock: () => {
      clock.advance(1)
      return clock()
    },
    createId: () => `home-${home}-${++ids}`,
    onEvent: (event) => {
      if (event.type === 'storage-failed') failures.push(event.error.message)
    },
    ...options,
  })
  return { hermes, storage, clock, failures }
}

const proposing =
  (...proposals: readonly object[]): HostModel =>
  async () =>
    JSON.stringify({ proposals })

const fact = (target: string, content: string, messageId: string) => ({
  target,
  op: { action: 'add', content },
  rationale: 'said',
  score: 0.9,
  evidence: [{ messageId, quote: content }],
})

/** Ten turns of a real session whose review applies a stated fact, holds one that nobody stated, and rejects a guess. */
const learn = async (hermes: Hermes): Promise<void> => {
  const session = hermes.session('s-1')
  const said = 'I live in Lisbon and work on payments'
  const model = proposing(
    fact('user', said, 'm1'),
    { ...fact('user', 'Prefers tabs over spaces', 'm2'), evidence: [{ quote: 'I prefer tabs over spaces' }] },
    { ...fact('memory', 'A guess', 'm1'), score: 0.1 },
  )
  const history: { role: 'user' | 'assistant' | 'tool'; text: string; toolName?: string }[] = []
  for (let turn = 0; turn < 10; turn++) {
    history.push({ role: 'user', text: turn === 0 ? said : `Question ${turn}` })
    const prompt = [...history]
    session.beginStep(prompt)
    const reply = [{ role: 'assistant' as const, text: `Answer ${turn}` }]
    session.endStep({ prompt, turnFinished: true, calledTools: false, reply, model })
    history.push(...reply)
  }
  await session.settled()
}

/** Fills a home with memory of every origin, archived entries, skills with support files and an executable, an archived skill, usage counts, journal days and a held proposal. */
export const fillHome = async (hermes: Hermes, storage: StorageBackend, advance: (ms: number) => void): Promise<void> => {
  await learn(hermes)
  const store = hermes.memoryStore()
  unwrap(await store.apply('memory', { action: 'add', content: 'The build needs Node 20' }, { origin: 'tool' }))
  unwrap(await store.apply('memory', { action: 'add', content: 'Tests take four minutes' }, { origin: 'assistant' }))
  advance(24 * 3_600_000)
  unwrap(await store.apply('memory', { action: 'add', content: 'Written by hand' }, { origin: 'external' }))
  unwrap(await store.apply('memory', { action: 'add', content: 'An old habit' }, { origin: 'user' }))
  unwrap(await store.apply('memory', { action: 'remove', oldText: 'An old habit' }, { origin: 'user' }))
  const skills = hermes.skillStore()
  unwrap(await skills.create({ name: 'deploy', category: 'ops', content: skillText('deploy') }))
  unwrap(await skills.writeFile('deploy', 'references/notes.md', 'Roll out one region at a time.\n'))
  unwrap(
    await updateDocument(storage, 'skills/ops/deploy/scripts/run.sh', () => ({
      bytes: new TextEncoder().encode('echo run\n'),
      executable: true,
    })),
  )
  unwrap(await skills.create({ name: 'old-way', content: skillText('old-way') }))
  for (const name of ['deploy', 'old-way']) unwrap(await hermes.usageStore().record(name, 'create', { createdBy: 'agent' }))
  unwrap(await hermes.usageStore().record('deploy', 'use'))
  unwrap(await hermes.usageStore().pin('deploy'))
  advance(24 * 3_600_000)
  unwrap(await hermes.curator.archive('old-way', { reason: 'Nobody uses it.' }))
  await write(storage, { 'skills/pdf/SKILL.md': skillText('pdf'), 'skills/pdf/LICENSE': 'MIT\n', 'config.yaml': 'memory: {}\n' })
}

/** The contents by which two homes count as equal: stores, provenance, skills and usage counts. */
export const contentsOf = async (hermes: Hermes, storage: StorageBackend) => {
  const store = hermes.memoryStore()
  await store.load()
  const skills: Record<string, string> = {}
  for (const { path } of unwrap(await storage.list('skills'))) {
    if (path.startsWith('skills/.locks/') || path === 'skills/.usage.json') continue
    const document = unwrap(await readDocument(storage, path))
    skills[path] = `${document?.executable ?? false} ${Buffer.from(document?.bytes ?? []).toString('hex')}`
  }
  const sorted = <T extends { readonly id: string }>(list: readonly T[]) => [...list].sort((a, b) => (a.id < b.id ? -1 : 1))
  return {
    memory: unwrap(await store.facts('memory')),
    user: unwrap(await store.facts('user')),
    archived: sorted(unwrap(await store.archived())),
    skills,
    usage: new Map([...(await hermes.usageStore().all())].sort(([a], [b]) => (a < b ? -1 : 1))),
    pending: sorted(unwrap(await hermes.pending.list())),
  }
}

/** All documents of a home except locks. */
export const bytesOf = async (storage: StorageBackend): Promise<Readonly<Record<string, string>>> => {
  const bytes: Record<string, string> = {}
  for (const { path } of unwrap(await storage.list('')))
    bytes[path] = Buffer.from(unwrap(await readDocument(storage, path))?.bytes ?? []).toString('hex')
  return bytes
}

export interface Member {
  readonly name: string
  readonly bytes?: Uint8Array
  readonly type?: 'file' | 'symlink' | 'link' | 'character-device' | 'fifo' | 'directory'
  readonly linkname?: string
  readonly size?: number
}

const toBytes = (content: string | Uint8Array): Uint8Array => (typeof content === 'string' ? new TextEncoder().encode(content) : content)

export const member = (name: string, content: string | Uint8Array): Member => ({ name, bytes: toBytes(content) })

/** Packs a `.tar.gz` of any members, valid or not. */
export const packMembers = async (members: readonly Member[]): Promise<Uint8Array> => {
  const { readable, controller } = createTarPacker()
  const packed = new Response(readable).arrayBuffer()
  for (const { name, bytes = new Uint8Array(), type = 'file', linkname } of members) {
    const body = controller
      .add({ name, size: type === 'file' ? bytes.length : 0, type, mtime: new Date(0), ...(linkname ? { linkname } : {}) })
      .getWriter()
    if (type === 'file' && bytes.length > 0) await body.write(new Uint8Array(bytes))
    await body.close()
  }
  controller.finalize()
  return new Uint8Array(gzipSync(new Uint8Array(await packed)))
}

export const COUNTS = { memory: 0, user: 0, memoryArchive: 0, skills: 0, archivedSkills: 0, pending: 0, journalDays: 0 }

export const manifestOf = async (files: Readonly<Record<string, string | Uint8Array>>, changes: object = {}): Promise<string> => {
  const listed: object[] = []
  for (const [path, content] of Object.entries(files))
    listed.push({ path, size: toBytes(content).length, sha256: await sha256Of(toBytes(content)) })
  return JSON.stringify({ format: 'hermes-export', version: 1, counts: COUNTS, files: listed, leftOut: [], ...changes })
}

/** Packs a valid archive of the given documents. */
export const packFiles = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<Uint8Array> =>
  packMembers([
    member('hermes-export.json', await manifestOf(files)),
    ...Object.entries(files).map(([path, content]) => member(path, content)),
  ])

/** The names in an archive, listed by the system's `tar`. */
export const listWithTar = (file: string): readonly string[] => execFileSync('tar', ['tzf', file], { encoding: 'utf8' }).trim().split('\n')
