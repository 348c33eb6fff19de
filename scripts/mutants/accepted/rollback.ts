import type { AcceptedMutant } from './accepted-mutant.ts'

type Mutant = readonly [code: string, becomes: string, line?: string]

/** Of each reason: the file, and what becomes what in it; with the line if the code alone says too little. */
const REASONS: readonly (readonly [why: string, file: string, ...Mutant[]])[] = [
  ['the archiver answers for each skill that it is given', 'rollback-leave.ts', ["'not_found'", '""']],
  ['the hundredth name is as good as the ninety-ninth', 'rollback-leave.ts', ['serial <= MAX_NAMES_TRIED', 'serial < MAX_NAMES_TRIED']],
  [
    'a second try changes nothing if the first failed for another reason',
    'rollback-leave.ts',
    ["archived.error.code !== 'invalid'", 'false'],
  ],
  [
    'a document has no skill, and all else has one',
    'rollback-leave.ts',
    ["'document'", '""', "if (kind === 'document' || !skill) return moveAside(storage, path, folder)"],
    ["kind === 'document' || !skill", "kind === 'document' && !skill"],
    ["kind === 'document'", 'false'],
  ],
  [
    'the default is only there for the type',
    'rollback-plan.ts',
    ["''", '"Stryker was here!"', ".map((path) => path.slice(ARCHIVE_FOLDER.length + 1).split('/')[0] ?? ''),"],
  ],
  [
    'both cases tell the same names apart, but for a few letters',
    'rollback-plan.ts',
    ["path.normalize('NFC').toLowerCase()", "path.normalize('NFC').toUpperCase()"],
  ],
  ['what is not in the archive gives a name that no entry has', 'rollback-plan.ts', ['!isBelow(path, ARCHIVE_FOLDER)', 'false']],
  [
    'nobody reads the stamp',
    'rollback-plan.ts',
    [
      "''",
      '"Stryker was here!"',
      "const documentsAt = (paths: Iterable<string>): readonly DocumentInfo[] => Array.from(paths, (path) => ({ path, size: 0, stamp: '' }))",
    ],
  ],
  ['no skill is at the folder undefined', 'rollback-plan.ts', ['folder === undefined', 'false']],
  [
    'no entry has that name',
    'rollback-plan.ts',
    ["''", '"Stryker was here!"', ".filter((path) => newEntries.has(entryOf(path) ?? ''))"],
    ['[]', '["Stryker was here"]', 'const oldEntries = new Set([...staying].flatMap((path) => entryOf(path) ?? []))'],
  ],
  [
    'what has no skill is moved as a document',
    'rollback-plan.ts',
    ["'document'", '""', ".map((path): Leaving => ({ kind: 'document', path, skill: undefined }))"],
  ],
  [
    'no document has that path',
    'rollback-run.ts',
    ['[]', '["Stryker was here"]', 'return ok(read.value && equalContent(read.value, contents.get(path)) ? [path] : [])'],
  ],
  [
    'a document that is listed is there',
    'rollback-run.ts',
    ['contents.get(toDocumentPath(folder))?.bytes', 'contents.get(toDocumentPath(folder)).bytes'],
    ['read.value?.bytes', 'read.value.bytes'],
  ],
  ['a document that is listed is there', 'rollback-twin.ts', ['here.value !== undefined', 'true']],
  [
    'no entry has that name, so nothing is moved',
    'rollback-run.ts',
    ['[]', '["Stryker was here"]', 'if (read.ok && !read.value) return ok([])'],
    ['[]', '["Stryker was here"]', 'return ok(names.has(nameIn(bytes, readArchiveName(entry).base)) ? [entry] : [])'],
  ],
  ['the line before has dealt with a missing document', 'rollback-run.ts', ['read.value?.bytes', 'read.value.bytes']],
  [
    'this never fails: what cannot be read has the name of its folder',
    'rollback-run.ts',
    ['!entries.ok', 'false', 'if (!entries.ok) return entries'],
    ['!skills.ok', 'false', 'if (!skills.ok) return skills'],
  ],
  [
    'a backup has the content of each document to restore',
    'rollback-stage.ts',
    ['[]', '["Stryker was here"]', 'for (const group of groupsOf(puts.flatMap((path) => contents.get(path)?.bytes ?? []))) {'],
    ['contents.get(path)?.bytes', 'contents.get(path).bytes'],
  ],
  [
    'a backup has the content of each document to restore',
    'rollback-swap.ts',
    [
      'false',
      'true',
      'const put = content ? await putDocument(storage, { path, content, folder: replacedName(state), isBackedUp }) : ok(false)',
    ],
  ],
  ['reading a document that is not there changes nothing', 'rollback-stage.ts', ['puts.filter((path) => present.has(path))', 'puts']],
  ['the time of the rollback is passed with each skill', 'rollback-swap.ts', ['() => startedAt', '() => undefined']],
  [
    'what is still in the way makes the next step fail as well',
    'rollback-swap.ts',
    ['!cleared.ok || !cleared.value', '!cleared.ok && !cleared.value'],
    ['!cleared.ok || !cleared.value', 'false'],
  ],
  [
    'only on a disk that ignores case can an entry leave whose manifest is restored',
    'rollback-swap.ts',
    ['(path: string) => open.contents.has(path) && !isAbandonedManifest(path)', '() => undefined'],
    ['open.contents.has(path) && !isAbandonedManifest(path)', 'false'],
  ],
  [
    'the comparison of bytes below finds the same difference, only later',
    'rollback-twin.ts',
    ['({ path, size }) => sizes.get(path.slice(one.length)) !== size', '() => undefined'],
    [
      'mine.value.some(({ path, size }) => sizes.get(path.slice(one.length)) !== size)',
      'mine.value.every(({\n  path,\n  size\n}) => sizes.get(path.slice(one.length)) !== size)',
    ],
    ['sizes.get(path.slice(one.length)) !== size', 'false'],
  ],
  ['what cannot be read is no twin in either case', 'rollback-twin.ts', ['!here.ok', 'false', 'if (!here.ok) return here']],
  [
    'a text has neither of the two fields',
    'rollback-twin.ts',
    ['[]', '["Stryker was here"]', 'for (const { from, path } of archived.ok ? archived.value.entries : []) {'],
  ],
  [
    'no entry has that name, and a folder without documents is no twin',
    'rollback-twin.ts',
    [
      '[]',
      '["Stryker was here"]',
      'if (from !== undefined && !leavingEntries.includes(path)) entries.set(from, [...(entries.get(from) ?? []), path])',
    ],
  ],
  [
    'the path of a nested skill is also longer in characters',
    'rollback-plan.ts',
    ["'/'", '""', ".sort((a, b) => b.path.split('/').length - a.path.split('/').length)"],
  ],
  ['nothing asks for an entry without a place', 'rollback-twin.ts', ['from !== undefined', 'true']],
  [
    'nobody reads the version',
    'rollback-usage.ts',
    ["''", '"Stryker was here!"', "const decoded = decodeSidecar(then && { bytes: then, version: '' })"],
  ],
  [
    'with nothing to merge and to mark, the update leaves the sidecar as it is',
    'rollback-usage.ts',
    ['before.size === 0 && archived.size === 0', 'false'],
  ],
  ['one attempt more or less of five', 'rollback-usage.ts', ['attempt < MAX_ATTEMPTS', 'attempt <= MAX_ATTEMPTS']],
  ['an error of this list has the id of its backup', 'rollback.ts', ["typeof id === 'string'", 'true']],
  ['the plan replaces the list before anything uses it', 'rollback.ts', ['[]', '["Stryker was here"]', 'leavingEntries: [],']],
  ['the journal is there until the rollback closes it', 'rollback.ts', ['now.value?.phase', 'now.value.phase']],
  ['one attempt more or less of twenty', 'rollback-put.ts', ['attempt < MAX_ATTEMPTS', 'attempt <= MAX_ATTEMPTS']],
  ['the next attempt finds the document as it should be', 'rollback-put.ts', ['equalContent(written.value, content)', 'false']],
  [
    'the journal keeps the plan of a process that was first in this direction',
    'rollback-recover.ts',
    [
      "'undo'",
      '""',
      "state.direction === 'undo' ? state : { ...state, direction: 'undo', phase: 'staging', startedAt, leavingSkills: [], leavingEntries: [] }",
    ],
    ["state.direction === 'undo'", 'false'],
  ],
]

export const ROLLBACK: readonly AcceptedMutant[] = REASONS.flatMap(([why, file, ...mutants]) =>
  mutants.map(([code, becomes, line]) => ({
    file: `curator/rollback/${file}`,
    code,
    becomes,
    why,
    ...(line === undefined ? {} : { line }),
  })),
)
