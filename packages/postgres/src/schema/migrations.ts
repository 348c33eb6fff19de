/**
 * The steps from an empty schema to the present one. They are only ever added to: a step that is released never changes, and a function
 * that must change gets a new name, so that an older version of the library goes on working on a newer schema.
 */
import { createDocuments } from './documents-step.ts'
import { addPassages, addProjects, createRecall } from './recall-step.ts'
import { createReviewQueue } from './review-queue-step.ts'
import type { SchemaNames } from './schema-name.ts'

export interface Migration {
  readonly number: number
  /** The lowest number of a library that works on a schema with this step. A step that only adds keeps that of the step before. */
  readonly needs: number
  /** Can be run twice. */
  readonly statements: (names: SchemaNames) => readonly string[]
}

/** Tables that are created together and have steps of their own. */
export interface MigrationSet {
  /** The table of the steps that were taken. */
  readonly table: (names: SchemaNames) => string
  readonly steps: readonly Migration[]
  /** The options of `migrationSql` for it, beside the schema. */
  readonly options: { readonly recall?: true }
}

const STORAGE_STEPS: readonly Migration[] = [
  { number: 1, needs: 1, statements: createDocuments },
  { number: 2, needs: 1, statements: createReviewQueue },
]

/** Documents and queued reviews. */
export const STORAGE_TABLES: MigrationSet = { table: ({ migrations }) => migrations, steps: STORAGE_STEPS, options: {} }

/** The index over past sessions; only for those who use it. */
export const RECALL_TABLES: MigrationSet = {
  table: ({ recallMigrations }) => recallMigrations,
  steps: [
    { number: 1, needs: 1, statements: createRecall },
    // An older version would show the turns of one project in another.
    { number: 2, needs: 2, statements: addProjects },
    // An older version would write one vector for an item.
    { number: 3, needs: 3, statements: addPassages },
  ],
  options: { recall: true },
}
