/** Paths are relative to packages/core. `tests` and `isolatedTests` are globs; each isolated file has a process of its own. */
export type MutatedFolder = { readonly source: string; readonly tests: readonly string[]; readonly isolatedTests?: readonly string[] }

/**
 * The folders of core that hold promises, each with the tests that prove them. A test of whole sessions takes seconds for each mutant, so
 * add one only where the promise cannot be seen closer by.
 */
export const MUTATED_FOLDERS: Readonly<Record<string, MutatedFolder>> = {
  nudge: { source: 'src/nudge', tests: ['src/nudge/**/*.test.ts'] },
  gate: { source: 'src/gate', tests: ['src/gate/**/*.test.ts', 'test/trust/*.test.ts', 'test/session/two-passes.test.ts'] },
  memory: {
    source: 'src/memory',
    tests: [
      'src/memory/**/*.test.ts',
      'test/memory-curator.test.ts',
      'test/{backup-files,bad-input,home-memory,memory.vectors,shared-notes,undo}.test.ts',
      'test/credentials/stores.test.ts',
      'test/full-store/*.test.ts',
      'test/journal/host-writes.test.ts',
      'test/profile/*.test.ts',
      'test/projects/documents.test.ts',
      'test/python/python-archive.test.ts',
      'test/session/memory-files.test.ts',
      'test/times/facts-with-a-time.test.ts',
    ],
  },
  review: {
    source: 'src/review',
    tests: [
      'src/review/**/*.test.ts',
      'test/{skill-evaluation,skill-repair,skills-come-back}.test.ts',
      'test/profile/profile.test.ts',
      'test/session/{skill-provenance,two-passes}.test.ts',
      'test/times/facts-with-a-time.test.ts',
    ],
  },
  curator: {
    source: 'src/curator',
    tests: ['src/curator/**/*.test.ts', 'test/backup-files.test.ts'],
  },
  session: {
    source: 'src/session',
    // A mutant that survives runs all of these, so they are few.
    tests: [
      'src/session/**/*.test.ts',
      'test/session/{block-view,cost,end,failures,frozen-block,home-nudge,memory-files,memory-tool}.test.ts',
      'test/session/{skill-review,two-passes,unread-text,unwritten,usage-aside}.test.ts',
      'test/{learn,shared-notes}.test.ts',
      'test/projects/{reviews,seam,session}.test.ts',
      'test/times/facts-with-a-time.test.ts',
      'test/queue/queued-reviews.test.ts',
      'test/homes/shared-tools.test.ts',
      'test/recall/hooks.test.ts',
      'test/erasure/forget-sessions.test.ts',
    ],
  },
  storage: {
    source: 'src/storage',
    tests: ['src/storage/**/*.test.ts', 'test/storage/*.test.ts', 'test/bad-input.test.ts', 'test/shared-notes.test.ts'],
  },
}

/**
 * Tests that take seconds, for every mutant: those that start processes (which run a build without the mutant) or wait for them, and
 * properties of many whole sessions.
 */
export const SLOW_TESTS: readonly string[] = [
  '**/non-interference.property.test.ts',
  'test/full-store/session.test.ts',
  '**/!(file-backend-faults).long.test.ts',
  'test/storage/{locks,python-locks,slow-disk}.test.ts',
]
