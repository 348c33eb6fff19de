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
  [
    'only Windows needs the file closed before the rename',
    'backends/file-system/atomic-write.ts',
    ["process.platform === 'win32'", 'true'],
    ["process.platform === 'win32'", 'false'],
    ["process.platform === 'win32'", "process.platform !== 'win32'"],
    ["'win32'", '""'],
  ],
  [
    'the temporary name is gone by then, which is no error',
    'backends/file-system/atomic-write.ts',
    ['true', 'false', 'replaced = true'],
    ['!replaced', 'true'],
  ],
  [
    'a folder that exists is found again when it is created',
    'backends/file-system/durable-folder.ts',
    ['await isFolder(folder)', 'false'],
    [/\{\s*return await withFolder\(folder, enter\)\s*\}/, '{}'],
  ],
  ['the root of the file system is a folder', 'backends/file-system/durable-folder.ts', ['parent !== folder', 'true']],
  [
    'the end is the same, found by reading all',
    'backends/file-system/document-file.ts',
    ['(await handle.read(buffer)) === expected', 'false'],
  ],
])
