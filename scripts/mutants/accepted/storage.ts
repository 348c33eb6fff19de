import type { AcceptedMutant } from './accepted-mutant.ts'
import { toAccepted } from './to-accepted.ts'

export const STORAGE: readonly AcceptedMutant[] = toAccepted('storage', [
  [
    'the paths are then read anew: an index is kept only to be quicker',
    'backends/in-memory.ts',
    ['known?.size() === documents.size', 'false'],
    ['indexes.set(documents, index)', ';'],
    ['index.remove(path)', ';'],
    ['!current', 'current', 'if (!current) index.add(path)'],
    ['!current', 'true', 'if (!current) index.add(path)'],
    ['!current', 'false', 'if (!current) index.add(path)'],
    ['index.add(path)', ';', 'if (!current) index.add(path)'],
  ],
  ['every path of the index is a document', 'backends/in-memory.ts', ['[]', '["Stryker was here"]', /return document \? \[.*/]],
  ['no document has that path', 'backends/in-memory.ts', ['[]', '["Stryker was here"]', 'const found: string[] = []']],
  ['the path itself is no document when its folders are searched', 'backends/in-memory.ts', ["'/'", '""', /for \(let at = path\.last.*/]],
  ['no path begins with a slash', 'backends/in-memory.ts', ['at > 0', 'at >= 0']],
  ['each number is as unique as the other', 'backends/in-memory.ts', ['++writes', '--writes']],
  ['a document is always listed in its folder', 'backends/path-index.ts', ['siblings?.delete', 'siblings.delete']],
  [
    'a value that is undefined is not remembered',
    'json-document.ts',
    ['outcome.ok', 'true', 'if (outcome.ok) remember(last, updated.value, outcome.value)'],
  ],
  ['a document always has a value', 'json-document.ts', ['value !== undefined', 'true']],
  [
    'a quick answer for most paths; the checks that follow agree',
    'storage-paths.ts',
    ['path.length <= MAX_SEGMENT_BYTES && plain.test(path)', 'false'],
    ['path.length <= MAX_SEGMENT_BYTES', 'path.length < MAX_SEGMENT_BYTES'],
  ],
])
