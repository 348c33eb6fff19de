/**
 * The order of test files: whole projects in the order below, in each project the listed files first, so that at the end many short
 * files are left to share among the processors. A project's other files run in Vitest's own order.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files of a project that shares a process run one after another, because its process ends when the next file is another project's.
 * Many short files come last.
 */
const PROJECTS = [
  'docs',
  'next-chat',
  'langchain-chain',
  'repository',
  'postgres',
  'core isolated',
  'core',
  'chat-agent',
  'langchain',
  'langchain on core 0.3',
  'ai-sdk',
  'cli',
  'ui',
  'recall',
  'sqlite',
  'providers',
  'otel',
  'scripted-model',
  'chat-parts',
  'core unit',
]

/** The slowest files, slowest first; a file that is missing here is only started later. */
export const LONG_TESTS = [
  'scripts/owners.test.ts',
  'scripts/recall.test.ts',
  'scripts/learning.test.ts',
  'scripts/inferred-types.test.ts',
  'scripts/common-js.test.ts',
  'packages/postgres/test/process-per-turn.test.ts',
  'packages/postgres/test/queue.conformance.test.ts',
  'packages/postgres/test/pg.conformance.test.ts',
  'packages/postgres/test/postgres-js.conformance.test.ts',
  'packages/core/test/storage/swapped-folders.isolated.test.ts',
  'packages/core/test/backup-kill.test.ts',
  'packages/core/test/storage/file-system.conformance.test.ts',
  'packages/core/test/session/home-nudge-kill.test.ts',
  'packages/core/test/trust/non-interference.property.test.ts',
  'packages/core/test/queue/worker-kill.test.ts',
  'packages/core/test/storage/mixed-locks.test.ts',
  'packages/core/test/erasure/forget-processes.test.ts',
  'examples/chat-agent/test/recall.test.ts',
  'packages/langchain/test/conformance/each-entry.test.ts',
  'packages/ai-sdk/test/conformance/ai-7.test.ts',
  'packages/cli/test/kill.test.ts',
]

const rank = ({ project, moduleId }: TestSpecification): readonly [number, number] => {
  const place = LONG_TESTS.findIndex((file) => moduleId.endsWith(`/${file}`))
  return [PROJECTS.indexOf(project.name), place === -1 ? LONG_TESTS.length : place]
}

export class LongTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranked = (await super.sort(files)).map((file) => ({ file, rank: rank(file) }))
    return ranked.sort((one, other) => one.rank[0] - other.rank[0] || one.rank[1] - other.rank[1]).map(({ file }) => file)
  }
}
