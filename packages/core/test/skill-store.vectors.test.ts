/** Replays the golden cases that need a whole skill: patches through the store, skill names, and links on disk. */

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { HermesError } from '../src/shared/hermes-error.ts'
import type { Result } from '../src/shared/result.ts'
import { checkSkillEdit, parseSkillDocument } from '../src/skills/parse-skill-document.ts'
import { SkillStore } from '../src/skills/skill-store.ts'
import { fileSystemBackend } from '../src/storage/files/file-backend.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import { readDocument, updateDocument } from '../src/storage/one-document.ts'
import { filesOnDisk, temporaryFolder } from './storage/support/temporary-home.ts'
import { loadVectors } from './support/load-vectors.ts'
import { loadSkillPatchVectors, needsSkillStore, type SkillPatchCase, toText } from './support/skill-patch-vectors.ts'

/** An intended difference, recognised by the case and the result of the reference. */
interface Deviation<T> {
  readonly reason: string
  readonly applies: (each: T) => boolean
  readonly code: HermesError['code']
}

const codeOf = (result: Result<unknown>): string | undefined => (result.ok ? undefined : result.error.code)
const noteOf = (deviation: { readonly reason: string } | undefined): string =>
  deviation ? ` — differs on purpose (${deviation.reason})` : ''

// ---- patches through the store

const isPlainSkillFile = ({ filePath }: SkillPatchCase): boolean => filePath === null || filePath === 'SKILL.md'

const PATCH_DEVIATIONS: readonly Deviation<SkillPatchCase>[] = [
  {
    reason: 'naming SKILL.md as the file is no way around the checks of SKILL.md',
    applies: ({ filePath, skillMd, expect: { ok, ...rest } }) =>
      ok && filePath === 'SKILL.md' && 'result' in rest && !checkSkillEdit(skillMd, rest.result ?? '', 'demo').ok,
    code: 'invalid',
  },
  {
    reason: 'the name in the front matter stays that of the folder, or the skill is curated under another name than it lies under',
    applies: (each) =>
      isPlainSkillFile(each) &&
      each.expect.ok &&
      each.expect.result !== undefined &&
      parseSkillDocument(each.expect.result, { folderName: 'demo' }).name !== 'demo',
    code: 'invalid',
  },
  {
    reason: 'a SKILL.md in a support folder is no file of the skill but a second skill',
    applies: ({ filePath, expect: { ok } }) => ok && filePath !== null && filePath !== 'SKILL.md' && /(?:^|\/)skill\.md$/i.test(filePath),
    code: 'invalid_path',
  },
]

/** The error kinds of the cases that are not a `details.reason` of the matcher. */
const PATCH_CODES: Readonly<Record<string, readonly HermesError['code'][]>> = {
  frontmatter: ['invalid', 'over_limit'],
  path: ['invalid_path'],
  escape: ['invalid_path'],
  'file-not-found': ['not_found'],
  'too-large': ['over_limit'],
  'missing-argument': ['empty', 'invalid'],
}

const openPatchCase = async ({ skillMd, files }: SkillPatchCase) => {
  const storage = inMemoryBackend()
  for (const [path, text] of [['SKILL.md', skillMd], ...Object.entries(files)])
    expect((await updateDocument(storage, `skills/demo/${path}`, () => new TextEncoder().encode(text))).ok).toBe(true)
  const allFiles = async () => {
    const listed = await storage.list('')
    return Promise.all((listed.ok ? listed.value : []).map(async ({ path }) => [path, await readDocument(storage, path)] as const))
  }
  const textOf = async (path: string) => {
    const read = await readDocument(storage, `skills/demo/${path}`)
    return read.ok && read.value ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(read.value.bytes) : undefined
  }
  return { store: new SkillStore({ storage }), allFiles, textOf }
}

const checkRefusal = (result: Result<unknown>, kind: string): void => {
  if (result.ok) throw new Error(`It was not refused (${kind}).`)
  const codes = PATCH_CODES[kind]
  if (codes) expect(codes).toContain(result.error.code)
  else expect(result.error.details['reason']).toBe(kind)
  if (kind === 'frontmatter') expect(result.error.details['problems']).not.toEqual([])
}

const replayPatch = async (each: SkillPatchCase, deviation: Deviation<SkillPatchCase> | undefined): Promise<void> => {
  const { store, allFiles, textOf } = await openPatchCase(each)
  const before = await allFiles()
  const filePath = each.filePath ?? undefined
  const patch = { oldText: toText(each.old), newText: toText(each.new), replaceAll: each.replaceAll, filePath }
  const result = await store.patch('demo', patch)
  if (deviation || !each.expect.ok) {
    if (deviation) expect(codeOf(result)).toBe(deviation.code)
    else if (!each.expect.ok) checkRefusal(result, each.expect.error)
    expect(await allFiles()).toEqual(before)
    return
  }
  expect(result).toMatchObject({ ok: true })
  const text = await textOf(filePath ?? 'SKILL.md')
  if (each.expect.result !== undefined) expect(text).toBe(each.expect.result)
  if (each.expect.resultLength !== undefined) expect([...(text ?? '')]).toHaveLength(each.expect.resultLength)
}

const patchCases = loadSkillPatchVectors()?.filter(needsSkillStore)

describe.skipIf(!patchCases)('the golden patch cases of whole skills', () => {
  if (!patchCases?.length) it.skip('the folder of vectors has none')
  for (const each of patchCases ?? []) {
    const deviation = PATCH_DEVIATIONS.find(({ applies }) => applies(each))
    it(`${each.name}${noteOf(deviation)}`, () => replayPatch(each, deviation))
  }
})

// ---- skill names

interface NameCase {
  readonly name: string
  readonly kind: string
  readonly value?: unknown
  readonly hermes: { readonly ok: boolean; readonly wroteOutside?: boolean }
}

interface LinkCase extends NameCase {
  readonly links: readonly { readonly link: string; readonly target: string }[]
  readonly call: {
    readonly action: string
    readonly name: string
    readonly category?: string
    readonly content?: string
    readonly file_path?: string
    readonly file_content?: string
    readonly old_string?: string
    readonly new_string?: string
  }
}

const isLinkCase = (each: NameCase): each is LinkCase => each.kind === 'symlink'

const nameCases = loadVectors<{ readonly cases: readonly NameCase[] }>('skill-names')?.cases

const skillText = (name: string): string => `---\nname: ${name}\ndescription: Does a thing.\n---\n\n# ${name}\n\nDo it.\n`

const LOOKUP_DEVIATIONS: readonly Deviation<NameCase>[] = [
  {
    reason: 'a blank name is told as such, not looked for',
    applies: ({ value, hermes }) => hermes.ok && typeof value === 'string' && value.trim() === '',
    code: 'empty',
  },
  {
    reason: 'a backslash is a way out on another platform',
    applies: ({ value, hermes }) => hermes.ok && typeof value === 'string' && value.includes('\\'),
    code: 'invalid_path',
  },
  {
    reason: 'a dot is the library itself, not a skill in it',
    applies: ({ value, hermes }) => hermes.ok && typeof value === 'string' && value.split('/').includes('.'),
    code: 'invalid_path',
  },
]

const THERE = ['demo', 'devops/deploy']

describe.skipIf(!nameCases)('the golden names given to the store', () => {
  for (const each of nameCases?.filter(({ kind }) => kind === 'lookup') ?? []) {
    const deviation = LOOKUP_DEVIATIONS.find(({ applies }) => applies(each))
    it(`${each.name}${noteOf(deviation)}`, async () => {
      const storage = inMemoryBackend()
      for (const path of THERE)
        await updateDocument(storage, `skills/${path}/SKILL.md`, () =>
          new TextEncoder().encode(skillText(path.slice(path.indexOf('/') + 1))),
        )
      // Like a caller without types.
      const viewed = await new SkillStore({ storage }).view(each.value as string)
      if (deviation) return expect(codeOf(viewed)).toBe(deviation.code)
      if (!each.hermes.ok) return expect(['invalid', 'invalid_path']).toContain(codeOf(viewed))
      const isThere = THERE.includes(String(each.value).replace(/\/$/, ''))
      expect(codeOf(viewed)).toBe(isThere ? undefined : 'not_found')
    })
  }
})

// ---- links on disk

const LINK_DEVIATIONS: readonly Deviation<LinkCase>[] = [
  {
    reason: 'a link to SKILL.md is no way around the checks of SKILL.md',
    applies: ({ links, hermes }) => hermes.ok && links.some(({ target }) => target.endsWith('/SKILL.md')),
    code: 'invalid_path',
  },
  {
    reason: 'nothing is written out of the home, through whatever link',
    applies: ({ hermes }) => hermes.ok && hermes.wroteOutside === true,
    code: 'invalid_path',
  },
]

/** The home is beside the folder `outside`, so that a link to it leads out of the home. */
const openLinkCase = ({ links }: LinkCase) => {
  const folder = temporaryFolder()
  const home = join(folder, 'home')
  for (const [path, text] of [
    ['outside/secret.txt', 'secret'],
    ['home/skills/demo/SKILL.md', skillText('demo')],
  ] as const) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const { link, target } of links) {
    mkdirSync(dirname(join(home, link)), { recursive: true })
    symlinkSync(join(target.startsWith('outside') ? folder : home, target), join(home, link))
  }
  const contents = () => [
    filesOnDisk(join(folder, 'outside')),
    readFileSync(join(folder, 'outside/secret.txt'), 'utf8'),
    readFileSync(join(home, 'skills/demo/SKILL.md'), 'utf8'),
    // Python's lock for the counts may be there.
    filesOnDisk(join(home, 'skills')).filter((name) => name !== '.usage.json.lock'),
  ]
  return { store: new SkillStore({ storage: fileSystemBackend(home, { onWarning: () => undefined }) }), contents }
}

const callStore = (store: SkillStore, { call }: LinkCase): Promise<Result<unknown>> => {
  const { action, name, category, content = '', file_path: filePath = '', file_content: fileContent = '' } = call
  const { old_string: oldText = '', new_string: newText = '' } = call
  if (action === 'create') return store.create({ name, category, content })
  if (action === 'write_file') return store.writeFile(name, filePath, fileContent)
  if (action === 'remove_file') return store.removeFile(name, filePath)
  if (action === 'patch') return store.patch(name, { oldText, newText, filePath })
  throw new Error(`The case calls '${action}', which this runner does not know.`)
}

describe.skipIf(!nameCases)('the golden cases of links', () => {
  for (const each of nameCases?.filter(isLinkCase) ?? []) {
    const deviation = LINK_DEVIATIONS.find(({ applies }) => applies(each))
    it(`${each.name}${noteOf(deviation)}`, async () => {
      const { store, contents } = openLinkCase(each)
      const before = contents()
      const result = await callStore(store, each)
      if (!deviation && each.hermes.ok) return expect(result).toMatchObject({ ok: true })
      expect(codeOf(result)).toBe(deviation?.code ?? 'invalid_path')
      expect(contents()).toEqual(before)
    })
  }
})
