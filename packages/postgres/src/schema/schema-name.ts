/** The names of the tables and functions of Hermes, quoted. */

export interface SchemaNames {
  readonly schema: string
  /** The schema, the tables, the sequence and the functions as SQL identifiers. */
  readonly quoted: string
  readonly documents: string
  readonly migrations: string
  readonly updates: string
  readonly readCut: string
  readonly isStale: string
  readonly change: string
  readonly update: string
  readonly reviews: string
  readonly fences: string
  readonly claimReviews: string
  readonly endReview: string
  readonly recallMigrations: string
  readonly recallHomes: string
  readonly recallItems: string
  readonly recallTerms: string
  readonly recallVectors: string
  readonly recallToken: string
  readonly recallAdd: string
  readonly recallRemove: string
  readonly recallErase: string
  readonly recallDerive: string
  readonly recallRecount: string
}

/** Throws a TypeError for a name that is not plain: a schema may come from a tenant's name. */
export const schemaNames = (schema: string): SchemaNames => {
  if (typeof schema !== 'string' || !/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/.test(schema) || /^pg_/i.test(schema)) {
    const shown = typeof schema === 'string' ? `'${schema.slice(0, 80)}'` : `a value of type ${typeof schema}`
    throw new TypeError(
      `${shown} cannot be the schema of Hermes. Use at most 63 letters, digits, '_' and '-', beginning with a letter or '_', not with 'pg_'.`,
    )
  }
  const quoted = `"${schema}"`
  return {
    schema,
    quoted,
    documents: `${quoted}.hermes_documents`,
    migrations: `${quoted}.hermes_migrations`,
    updates: `${quoted}.hermes_updates`,
    readCut: `${quoted}.hermes_read_cut`,
    isStale: `${quoted}.hermes_is_stale`,
    change: `${quoted}.hermes_change`,
    update: `${quoted}.hermes_update`,
    reviews: `${quoted}.hermes_reviews`,
    fences: `${quoted}.hermes_fences`,
    claimReviews: `${quoted}.hermes_claim_reviews`,
    endReview: `${quoted}.hermes_end_review`,
    recallMigrations: `${quoted}.hermes_recall_migrations`,
    recallHomes: `${quoted}.hermes_recall_homes`,
    recallItems: `${quoted}.hermes_recall_items`,
    recallTerms: `${quoted}.hermes_recall_terms`,
    recallVectors: `${quoted}.hermes_recall_vectors`,
    recallToken: `${quoted}.hermes_recall_token`,
    recallAdd: `${quoted}.hermes_recall_add`,
    recallRemove: `${quoted}.hermes_recall_remove`,
    recallErase: `${quoted}.hermes_recall_erase`,
    recallDerive: `${quoted}.hermes_recall_derive`,
    recallRecount: `${quoted}.hermes_recall_recount`,
  }
}
