/** What can be measured, by name. */
import { bareBm25 } from './bare-bm25.ts'
import { createPostgresSubject } from './postgres-subject.ts'
import type { RecallSubject } from './recall-subject.ts'
import { localSubject, sqliteSubject, vectorSubject } from './sqlite-subject.ts'

const SUBJECTS: Readonly<Record<string, () => Promise<RecallSubject>>> = {
  bm25: async () => bareBm25,
  sqlite: async () => sqliteSubject,
  local: async () => localSubject,
  vectors: async () => vectorSubject,
  postgres: createPostgresSubject,
}

const BY_DEFAULT = 'bm25,sqlite'

/** `names`: separated by commas. Rejects with a RangeError for an unknown one. */
export const chooseSubjects = async (names = BY_DEFAULT): Promise<readonly RecallSubject[]> => {
  const creators = names.split(',').map((name) => {
    const create = SUBJECTS[name]
    if (create === undefined) throw new RangeError(`There is no index '${name}'. There are: ${Object.keys(SUBJECTS).join(', ')}.`)
    return create
  })
  return Promise.all(creators.map((create) => create()))
}
