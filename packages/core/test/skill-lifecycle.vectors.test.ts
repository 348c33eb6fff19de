/** Replays the golden cases of archiving and restoring. Sets the states in the sidecar separately, as every caller of the store does. */

import { manualClock } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { judgeOwnership, readOwnershipMarks } from '../src/ownership/skill-ownership.ts'
import type { Result } from '../src/shared/result.ts'
import { SkillStore } from '../src/skills/skill-store.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import { readDocument, updateDocument } from '../src/storage/one-document.ts'
import type { StorageBackend } from '../src/storage/storage-backend.ts'
import { UsageStore } from '../src/usage/usage-store.ts'
import { loadVectors } from './support/load-vectors.ts'

interface LifecycleCase {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly records: Readonly<Record<string, unknown>>
  readonly bundled: readonly string[]
  readonly hub: readonly string[]
  readonly ops: readonly (readonly ['archive' | 'restore', string])[]
  readonly expect: {
    readonly steps: readonly { readonly op: string; readonly name: string; readonly ok: boolean }[]
    readonly files: Readonly<Record<string, string>>
    readonly states: Readonly<Record<string, string>>
    readonly suppressed: readonly string[]
  }
}

type Expected = Pick<LifecycleCase['expect'], 'files' | 'states'> & { readonly steps: readonly boolean[] }

/** An intended difference: its cases, and our result. */
interface Deviation {
  readonly reason: string
  readonly applies: (each: LifecycleCase) => boolean
  readonly instead: (each: LifecycleCase) => Partial<Expected>
}

const holdsAt = (files: LifecycleCase['files'], folder: string): boolean => Object.keys(files).some((path) => path.startsWith(`${folder}/`))

const DEVIATIONS: readonly Deviation[] = [
  {
    reason: 'goes-back-to-its-category: the folder it lay in is in the manifest',
    applies: ({ files, ops, expect: { steps } }) =>
      ops.map(([op]) => op).join() === 'archive,restore' &&
      steps.every(({ ok }) => ok) &&
      Object.keys(files).some((path) => path.endsWith(`/${ops[0]?.[1]}/SKILL.md`) && !path.startsWith('.')),
    instead: ({ files }) => ({ files }),
  },
  {
    reason: 'stamps-of-a-shell-count: a skill that was moved away under a dashed time is restored like any other',
    applies: ({ name }) => name === 'lifecycle/restore-ignores-hyphenated-stamp',
    instead: ({ files, ops }) => ({
      steps: [true],
      files: Object.fromEntries(Object.entries(files).map(([path, text]) => [path.replace(/^\.archive\/[^/]+/, `${ops[0]?.[1]}`), text])),
      states: Object.fromEntries(ops.map(([, name]) => [name, 'active'])),
    }),
  },
  {
    reason: 'restored-by-the-name-of-the-skill: folder and front matter both name it, and the record that changes is the one it has',
    applies: ({ name }) => name === 'lifecycle/frontmatter-name-differs-archives-under-dirname',
    instead: () => ({ steps: [true, true, false], states: { fm: 'active' } }),
  },
  {
    reason: 'a-support-folder-is-no-skill: nothing is lifted out of an archived skill',
    applies: ({ name }) => name === 'lifecycle/restore-picks-a-support-folder',
    instead: ({ files }) => ({ steps: [false], files, states: {} }),
  },
  {
    reason: 'two-of-a-name-are-ambiguous: a caller says which one it means',
    applies: ({ files, ops }) => holdsAt(files, 'a/x') && holdsAt(files, 'b/x') && ops.every(([op]) => op === 'archive'),
    instead: ({ files, ops }) => ({ steps: ops.map(() => false), files, states: { x: 'active' } }),
  },
  {
    reason: 'bundled-skills-are-never-archived: there is no pruning of them, and so no list of suppressed ones',
    applies: ({ bundled, expect: { steps } }) => bundled.length > 0 && steps.some(({ ok }) => ok),
    instead: ({ files, ops }) => ({ steps: ops.map(() => false), files, states: {} }),
  },
]

const encode = (text: string) => new TextEncoder().encode(text)

const openCase = async ({ files, records, bundled, hub }: LifecycleCase) => {
  const clock = manualClock(Date.UTC(2026, 7, 18, 12))
  const storage = inMemoryBackend()
  const put = async (path: string, text: string) =>
    expect((await updateDocument(storage, `skills/${path}`, () => encode(text))).ok).toBe(true)
  for (const [path, text] of Object.entries(files)) await put(path, text)
  await put('.usage.json', JSON.stringify(records))
  if (bundled.length > 0) await put('.bundled_manifest', bundled.map((name) => `${name}:0123`).join('\n'))
  const installed = Object.fromEntries(hub.map((name) => [name, { install_path: name }]))
  if (hub.length > 0) await put('.hub/lock.json', JSON.stringify({ installed }))
  return { storage, store: new SkillStore({ storage, clock }), usage: new UsageStore({ storage, clock }) }
}

type Opened = Awaited<ReturnType<typeof openCase>>

/** Acts like a caller of the store: asks who owns the skill, then moves it, then sets its state under its own name. */
const runStep = async ({ storage, store, usage }: Opened, op: 'archive' | 'restore', name: string): Promise<boolean> => {
  const marks = await readOwnershipMarks(storage)
  if (!marks.ok) throw marks.error
  const isForeign = ({ path, ...skill }: { readonly name: string; readonly path: string; readonly folderName: string }) =>
    ['bundled', 'hub'].includes(judgeOwnership({ ...skill, path, category: undefined }, undefined, marks.value).owner)
  if (op === 'archive') {
    const found = await store.view(name)
    if (!found.ok || isForeign(found.value)) return false
    const archived = await store.archive(name, { reason: 'not used any more' })
    if (archived.ok) expect((await usage.setState(archived.value.name, 'archived')).ok).toBe(true)
    return archived.ok
  }
  const listed = await store.listArchived()
  const entry = listed.ok ? listed.value.entries.find((each) => each.name === name || each.path === name) : undefined
  if (entry && isForeign({ name: entry.name, path: entry.from ?? entry.name, folderName: entry.name })) return false
  const restored: Result<{ readonly skill: { readonly name: string } }> = await store.restore(name)
  if (restored.ok) expect((await usage.setState(restored.value.skill.name, 'active')).ok).toBe(true)
  return restored.ok
}

const NOT_COMPARED = /^(?:\.usage\.json|\.bundled_manifest|\.hub\/.*|\.archive\/\.manifests\/.*)$/

const filesOf = async (storage: StorageBackend): Promise<Readonly<Record<string, string>>> => {
  const listed = await storage.list('skills')
  if (!listed.ok) throw listed.error
  const files: Record<string, string> = {}
  for (const { path } of listed.value) {
    const name = path.slice('skills/'.length)
    const read = await readDocument(storage, path)
    if (NOT_COMPARED.test(name) || !read.ok || !read.value) continue
    files[name.replace(/-20260818\d{6}(?=\/)/, '-<ts>')] = new TextDecoder().decode(read.value.bytes)
  }
  return files
}

const cases = loadVectors<{ readonly lifecycle?: readonly LifecycleCase[] }>('curator')?.lifecycle

describe.skipIf(!cases)('the golden cases of archiving and restoring', () => {
  if (!cases?.length) it.skip('the folder of vectors has none')
  for (const each of cases ?? []) {
    const deviation = DEVIATIONS.find(({ applies }) => applies(each))
    it(`${each.name}${deviation ? ` — differs on purpose (${deviation.reason})` : ''}`, async () => {
      const opened = await openCase(each)
      const steps: boolean[] = []
      for (const [op, name] of each.ops) steps.push(await runStep(opened, op, name))
      const expected: Expected = {
        steps: each.expect.steps.map(({ ok }) => ok),
        files: each.expect.files,
        states: each.expect.states,
        ...deviation?.instead(each),
      }
      expect(steps).toEqual(expected.steps)
      expect(await filesOf(opened.storage)).toEqual(expected.files)
      const records = await opened.usage.load()
      if (!records.ok) throw records.error
      expect(Object.fromEntries([...records.value].map(([name, { state }]) => [name, state]))).toEqual(expected.states)
      expect(await readDocument(opened.storage, 'skills/.curator_suppressed')).toEqual({ ok: true, value: undefined })
    })
  }
})
