/** What is in a home after its records were carried out again. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { filesOnDisk, temporaryFolder } from '../../../test/storage/support/temporary-home.ts'
import { Home } from './home.ts'
import { type Change, type LogRecord, markOf } from './log-record.ts'
import { type Conflict, recover } from './recover.ts'

type Files = Readonly<Record<string, string>>

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const whole = (path: string, text: string, old?: string): Change => ({
  path,
  bytes: bytes(text),
  executable: false,
  old: old === undefined ? undefined : markOf(bytes(old)),
  before: old === undefined ? undefined : bytes(old),
})
const gone = (path: string, old: string): Change => ({ ...whole(path, '', old), bytes: null })
const grown = (path: string, text: string, offset: number): Change => ({ path, bytes: bytes(text), executable: false, offset })

/** Each change is a record; the last one has the number 7. */
const recordsOf = (changes: readonly Change[]): readonly LogRecord[] =>
  changes.map((change, index) => ({ number: 8 - changes.length + index, tag: 't', moves: [], changes: [change] }))

const createHome = async (files: Files): Promise<Home> => {
  const home = new Home(temporaryFolder())
  mkdirSync(join(home.root, '.hermes'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home.root, path)), { recursive: true })
    writeFileSync(join(home.root, path), text)
  }
  await home.open()
  return home
}

const filesOf = ({ root }: Home): Files =>
  Object.fromEntries(
    filesOnDisk(root)
      .filter((path) => statSync(join(root, path)).isFile())
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  )

type Case = [name: string, before: Files, changes: readonly Change[], after: Files, conflicts?: readonly Conflict[]]

const NEW = whole('a', 'new text', 'old')
const BESIDE = { path: 'a', beside: 'a.hermes-7' }
const MEMORY = 'memories/MEMORY.md'
const USAGE = 'skills/.usage.json'
const OURS = whole(MEMORY, 'old\n§\nours', 'old')
const TEMPORARY = 'memories/.hermes-tmp-t-7-0'

const AFTER_ANY_END: readonly Case[] = [
  ['replaces what it found', { a: 'old' }, [NEW], { a: 'new text' }],
  ['leaves what is done', { a: 'new text' }, [NEW], { a: 'new text' }],
  ['creates what is missing', {}, [NEW], { a: 'new text' }],
  ['replaces what a record before it left', { a: 'one' }, [whole('a', 'one', 'old'), whole('a', 'two', 'one')], { a: 'two' }],
  ['keeps what others wrote', { a: 'theirs' }, [NEW], { a: 'theirs', 'a.hermes-7': 'new text' }, [BESIDE]],
  [
    'finds a free name beside it',
    { a: 'theirs', 'a.hermes-7': '1', 'a.hermes-7-2': '2' },
    [NEW],
    { a: 'theirs', 'a.hermes-7': '1', 'a.hermes-7-2': '2', 'a.hermes-7-3': 'new text' },
    [{ path: 'a', beside: 'a.hermes-7-3' }],
  ],
  ['replaces what only the library writes', { 'memories/.f': 'x' }, [whole('memories/.f', 'new', 'old')], { 'memories/.f': 'new' }],
  ['removes it, and the folder', { 'b/c/a': 'old' }, [gone('b/c/a', 'old')], {}],
  ['removes what others wrote never', { a: 'theirs' }, [gone('a', 'old')], { a: 'theirs' }, [{ path: 'a', beside: undefined }]],
  ['removes what is gone', {}, [gone('a', 'old')], {}],
  ['appends', { a: 'l' }, [grown('a', '+ours', 1)], { a: 'l+ours' }],
  ['appends to nothing', {}, [grown('a', '+ours', 1)], { a: '+ours' }],
  ['appends nothing twice', { a: 'l+ours' }, [grown('a', '+ours', 1)], { a: 'l+ours' }],
  ['appends nothing before what follows', { a: 'l+ours+theirs' }, [grown('a', '+ours', 1)], { a: 'l+ours+theirs' }],
  ['appends nothing that stands behind', { a: 'l+theirs+ours' }, [grown('a', '+ours', 1)], { a: 'l+theirs+ours' }],
  ['appends behind what others appended', { a: 'l+theirs' }, [grown('a', '+ours', 1)], { a: 'l+theirs+ours' }],
  ['appends what stands only before', { a: 'x+ours-yyyyyyy' }, [grown('a', '+ours', 7)], { a: 'x+ours-yyyyyyy+ours' }],
  ['appends nothing that was moved to the front', { a: '+ours' }, [grown('a', '+ours', 3)], { a: '+ours' }],
  ['fills a gap', { a: 'l+o\0\0s' }, [grown('a', '+ours', 1)], { a: 'l+ours' }],
  ['ends what is half', { a: 'l+o' }, [grown('a', '+ours', 1)], { a: 'l+ours' }],
  ['appends twice', { a: 'l+1' }, [grown('a', '+1', 1), grown('a', '+2', 3)], { a: 'l+1+2' }],
  [
    'cannot take the place of a folder with files',
    { 'a/b': 'theirs' },
    [NEW],
    { 'a/b': 'theirs', '.hermes/kept-7-0': 'new text' },
    [{ path: 'a', beside: '.hermes/kept-7-0' }],
  ],
  [
    'gives up each',
    { 'a/b': '1', 'c/d': '2' },
    [NEW, whole('c', 'c', undefined)],
    { 'a/b': '1', 'c/d': '2', '.hermes/kept-7-0': 'new text', '.hermes/kept-7-1': 'c' },
    [
      { path: 'a', beside: '.hermes/kept-7-0' },
      { path: 'c', beside: '.hermes/kept-7-1' },
    ],
  ],
]

const GROWN_FIRST = [grown('a', 'mo', 3), grown('a', 're', 5), whole('a', 'all of it', 'basmore')]

const AFTER_A_KILL: readonly Case[] = [
  ['takes nothing of others for half of it', { a: 'new\0\0\0\0\0' }, [NEW], { a: 'new\0\0\0\0\0', 'a.hermes-7': 'new text' }, [BESIDE]],
  ['merges with Python', { [MEMORY]: 'old\n§\npy', [TEMPORARY]: '' }, [OURS], { [MEMORY]: 'old\n§\npy\n§\nours' }],
  ['is in its place if its file is gone', { [MEMORY]: 'py' }, [OURS], { [MEMORY]: 'py' }],
]

const AFTER_A_POWER_CUT: readonly Case[] = [
  ['replaces what is empty', { a: '' }, [NEW], { a: 'new text' }],
  ['replaces what is cut short', { a: 'new' }, [NEW], { a: 'new text' }],
  ['replaces what has zeros', { a: 'new\0te\0t' }, [NEW], { a: 'new text' }],
  ['keeps what begins with it', { a: 'new text!' }, [NEW], { a: 'new text!', 'a.hermes-7': 'new text' }, [BESIDE]],
  ['replaces half of a record before', { a: 'on\0' }, [whole('a', 'one', 'x'), whole('a', 'two', 'one')], { a: 'two' }],
  ['replaces what is half appended', { a: 'basm\0\0' }, GROWN_FIRST, { a: 'all of it' }],
  ['replaces what was not appended', { a: 'bas' }, GROWN_FIRST, { a: 'all of it' }],
  ['keeps what others appended', { a: 'basmX' }, GROWN_FIRST, { a: 'basmX', 'a.hermes-7': 'all of it' }, [BESIDE]],
  ['keeps what others shortened', { a: 'ba' }, GROWN_FIRST, { a: 'ba', 'a.hermes-7': 'all of it' }, [BESIDE]],
  ['merges with Python', { [MEMORY]: 'old\n§\npy' }, [OURS], { [MEMORY]: 'old\n§\npy\n§\nours' }],
  [
    'merges one record after another',
    { [MEMORY]: 'old\n§\npy' },
    [OURS, whole(MEMORY, 'ours', 'old\n§\nours')],
    { [MEMORY]: 'py\n§\nours' },
  ],
  [
    'counts nothing twice',
    { [USAGE]: '{"s":{"n":4}}' },
    [whole(USAGE, '{"s":{"n":3}}', '{}')],
    { [USAGE]: '{\n  "s": {\n    "n": 4\n  }\n}' },
  ],
  [
    'merges with nothing that is no map',
    { [USAGE]: 'broken' },
    [whole(USAGE, '{"s":1}', '{}')],
    { [USAGE]: 'broken', [`${USAGE}.hermes-7`]: '{"s":1}' },
    [{ path: USAGE, beside: `${USAGE}.hermes-7` }],
  ],
]

it.each([
  ...[...AFTER_ANY_END, ...AFTER_A_KILL].map((each): [boolean, ...Case] => [false, ...each]),
  ...[...AFTER_ANY_END, ...AFTER_A_POWER_CUT].map((each): [boolean, ...Case] => [true, ...each]),
])('after a power cut: %s, an update %s', async (isPowerCut, _, before, changes, after, conflicts = []) => {
  const home = await createHome(before)
  const records = recordsOf(changes)
  for (let time = 1; time <= (conflicts.length > 0 ? 1 : 2); time++) {
    expect(await recover(home, records, isPowerCut)).toEqual(conflicts)
    expect(filesOf(home)).toEqual(after)
  }
  for (const path of Object.keys(after)) if (!(path in before)) expect(statSync(join(home.root, path)).mode & 0o777).toBe(0o600)
})

it('makes a script of a text with the same bytes', async () => {
  const home = await createHome({ a: 'x' })
  await recover(home, recordsOf([{ ...whole('a', 'x', 'x'), executable: true }]), false)
  expect(statSync(join(home.root, 'a')).mode & 0o777).toBe(0o700)
})

it.each<[string, Files, Files, (readonly Conflict[])?]>([
  ['moves a folder', { 'from/a': 'x' }, { 'to/a': 'x' }],
  ['takes the place of a folder without documents', { 'from/a': 'x', 'to/.hermes-tmp-x': '' }, { 'to/a': 'x' }],
  ['leaves what was moved', { 'to/a': 'x' }, { 'to/a': 'x' }],
  ['keeps a document at the target', { 'from/a': 'x', to: 'y' }, { 'from/a': 'x', to: 'y' }, [{ path: 'to', beside: 'from' }]],
  ['keeps a folder at the target', { 'from/a': 'x', 'to/b': 'y' }, { 'from/a': 'x', 'to/b': 'y' }, [{ path: 'to', beside: 'from' }]],
])('a record that %s', async (_, before, after, conflicts = []) => {
  const home = await createHome(before)
  const inode = (name: string) => String(statSync(join(home.root, name), { throwIfNoEntry: false })?.ino)
  const move = ['from', 'to', 'from/a' in before ? inode('from') : inode('to')] as const
  expect(await recover(home, [{ number: 1, tag: 't', moves: [move], changes: [] }], false)).toEqual(conflicts)
  expect(filesOf(home)).toEqual(after)
})

it('leaves what was moved where its source is taken again', async () => {
  const home = await createHome({ 'from/a': 'new', 'to/a': 'moved' })
  const inode = String(statSync(join(home.root, 'to')).ino)
  expect(await recover(home, [{ number: 1, tag: 't', moves: [['from', 'to', inode]], changes: [] }], false)).toEqual([])
  expect(filesOf(home)).toEqual({ 'from/a': 'new', 'to/a': 'moved' })
})
