/** How each block of the pages is run whose programs are not complete in themselves, or which other tests run. In the order of the page. */

/** A program: `before` and `after` are put around the block. Its standard output is what it should print, if that is given. */
interface ProgramPlan {
  readonly kind: 'program'
  readonly before?: string
  readonly after?: string
  /** A change that the compiler asks for. */
  readonly edit?: (code: string) => string
  readonly prints?: string | RegExp
}

/** Compiled after `before`; the page says why it is not run. */
interface CompiledPlan {
  readonly kind: 'compiled'
  readonly before: string
}

/** A test that runs the block as it is printed, or a file that the block is compared with. */
interface ElsewherePlan {
  readonly kind: 'elsewhere'
  readonly test: string
}

export type BlockPlan = ProgramPlan | CompiledPlan | ElsewherePlan

const program = (plan: Omit<ProgramPlan, 'kind'> = {}): ProgramPlan => ({ kind: 'program', ...plan })

const compiled = (before = ''): CompiledPlan => ({ kind: 'compiled', before })

const runBy = (test: string): ElsewherePlan => ({ kind: 'elsewhere', test })

const times = (count: number, plan: BlockPlan): readonly BlockPlan[] => Array.from({ length: count }, () => plan)

const HERMES = `
import { createHermes, inMemoryBackend } from '@hermes/core'
const hermes = createHermes({ storage: inMemoryBackend(), onEvent: (event) => { if ('error' in event) throw event.error } })`

const LISBON = "await hermes.memory.add('user', 'Lives in Lisbon, Calle Mayor 5.')"

const NOTE = "await hermes.memory.add('memory', 'Builds with pnpm 12.')"

/** By page; the languages `ts` and `js`. Pages that are not named consist of programs that name their files. */
export const PLANS: Readonly<Record<string, readonly BlockPlan[]>> = {
  'README.md': times(2, runBy('scripts/packed/readme.long.test.ts')),
  'docs/index.md': [
    program({
      before: `import { openai } from '@ai-sdk/openai'
import { withHermes } from '@hermes/ai-sdk'
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'`,
      after: 'console.log(model.modelId)',
      prints: 'gpt-5\n',
    }),
  ],
  'docs/concepts.md': [
    program({
      before: `${HERMES}
const session = hermes.session('chat-42')
const messages = [{ role: 'user', text: 'Hello' }] as const`,
      after: 'console.log(JSON.stringify(keep), next.id)',
      prints: '"" chat-43\n',
    }),
  ],
  'docs/skills.md': [
    program({
      before: `import { createHermes, inMemoryBackend } from '@hermes/core'
const storage = inMemoryBackend()
const model = async () => '{ "proposals": [] }'`,
      after: 'console.log((await hermes.skillStore().list()).ok)',
      prints: 'true\n',
    }),
    program({
      before: `${HERMES}
const made = await hermes.skillStore().create({ name: 'deploy', content: '---\\nname: deploy\\ndescription: Deploys.\\n---\\nRun it.' })
if (!made.ok) throw made.error
await hermes.curator.archive('deploy')`,
      after: 'console.log((await hermes.skillStore().view("deploy")).ok)',
      prints: 'true\n',
    }),
  ],
  'docs/learning.md': [
    program({
      before: `
import { createHermes, inMemoryBackend } from '@hermes/core'
const model = async () => '{"proposals":[]}'
const hermes = createHermes({ storage: inMemoryBackend(), review: { model } })
const turns = [{ sessionId: 'learn:old', messages: [{ role: 'user', text: 'I live in Lisbon' }] }] as const
const digest = '0123456789abcdef'`,
      after: 'console.log(known.ok, estimate.ok, run.ok && run.value.kind)',
      prints: 'true true reviewed\n',
    }),
  ],
  'docs/forgetting.md': [
    program({
      before: `${HERMES}
${NOTE}
await hermes.memory.remove('memory', 'pnpm')`,
      after: 'console.log(listed.ok, gone.ok && gone.value.length)',
      prints: 'true 1\n',
    }),
    program({
      before: `import { createHermes, inMemoryBackend } from '@hermes/core'
const hermes = createHermes({ storage: inMemoryBackend(), clock: () => Date.UTC(2026, 10, 28) })`,
      after: "const dated = await hermes.memory.list('user')\nconsole.log(dated.ok && dated.value.map((entry) => entry.until))",
      prints: "[ '2026-12-04' ]\n",
    }),
    program({
      before: `${HERMES}
${NOTE}`,
      after: "const pinned = await hermes.memory.list('memory')\nconsole.log(pinned.ok && pinned.value.map((entry) => entry.pinned))",
      prints: '[ true ]\n',
    }),
    program({
      before: `${HERMES}
${LISBON}`,
      after: 'console.log(told.ok, await hermes.session("next").systemBlock() === "")',
      prints: 'true true\n',
    }),
  ],
  'docs/journal.md': [
    program({
      before: `${HERMES}
${NOTE}`,
      after: 'console.log(latest.ok && latest.value.length, about.ok && about.value.length)',
      prints: '1 1\n',
    }),
    program({
      before: `${HERMES}
${NOTE}`,
      after:
        "const left = await hermes.memory.list('memory')\nconsole.log(planned.ok && planned.value.steps.length, left.ok && left.value.length)",
      prints: '1 0\n',
    }),
    program({ before: `import { sumLedger } from '@hermes/core/journal'${HERMES}`, prints: '0\n' }),
  ],
  'docs/home.md': [
    program({
      before: `${HERMES}
const other = createHermes({ storage: inMemoryBackend() })
${LISBON}`,
      // A page shows the call, a program looks at the answer first.
      edit: (code) => code.replace('await hermes.export()', '(await hermes.export()) as { value: Uint8Array }'),
      after: 'console.log(preview.ok, report.ok, (await other.session("next").systemBlock()).includes("Lisbon"))',
      prints: 'true true true\n',
    }),
  ],
  'docs/configuration.md': [program({ prints: '' })],
  'docs/inspector.md': [runBy('packages/cli/test/inspector-page/route.test.ts')],
  'docs/langchain.md': [
    program({
      before: `import { createHermesHomes, inMemoryBackend } from '@hermes/core'
import { hermesMiddleware } from '@hermes/langchain/agent'
import type { HermesCall } from '@hermes/langchain'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, tool } from 'langchain'
const homes = createHermesHomes({ storage: inMemoryBackend() })
await homes.for('ada').memory.add('user', 'Lives in Lisbon.')
const model = new ChatOpenAI({ model: 'gpt-5-mini' })
const tools: ReturnType<typeof tool>[] = []`,
      after: `const { messages } = await agent.invoke({ messages: 'Where do I live?' }, { configurable: { account: 'ada', chat: 'one' } })
console.log(messages.at(-1)?.text)`,
      prints: 'You live in Lisbon.\n',
    }),
    runBy('scripts/packed/langgraph-server.long.test.ts'),
  ],
  'docs/hosts.md': [runBy('packages/ai-sdk/test/mastra.test.ts'), runBy('scripts/hosts.test.ts')],
  'docs/production.md': times(2, runBy('packages/cli/test/production-page.long.test.ts')),
  'docs/servers.md': [
    ...times(2, runBy('packages/ai-sdk/test/servers.long.test.ts')),
    runBy('packages/langchain/test/servers.long.test.ts'),
    runBy('packages/ai-sdk/test/servers.long.test.ts'),
  ],
  'docs/write-your-own.md': [
    program({
      after: "const added = await hermes.memory.add('user', 'Is Ada.')\nconsole.log(added.ok)",
      prints: 'true\n',
    }),
    runBy('packages/testing/test/write-your-own.test.ts'),
    compiled(`import { createHermesHomes, type StorageBackend } from '@hermes/core'
declare const withHermes: (model: unknown, homes: unknown) => unknown
declare const hermesTools: (homes: unknown) => readonly object[]
declare const runChat: (complete: unknown, request: object, options: object) => Promise<unknown>
declare const storage: StorageBackend
declare const [model, userId, chatId]: readonly string[]
declare const [messages, mine]: readonly [readonly object[], readonly object[]]`),
    runBy('packages/testing/test/write-your-own.test.ts'),
    compiled(`import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import type { MemoryProvider } from '@hermes/core/provider'
declare const searchService: (options: object) => MemoryProvider`),
    runBy('packages/testing/test/write-your-own.test.ts'),
  ],
  'docs/worker.md': [compiled(), compiled(), compiled()],
  'docs/poisoning.md': [compiled()],
  'docs/nextjs.md': [...times(2, runBy('scripts/documentation.test.ts')), ...times(2, compiled())],
  'packages/core/README.md': [runBy('scripts/packed/readme.long.test.ts'), compiled()],
  'packages/ai-sdk/README.md': [runBy('scripts/packed/readme.long.test.ts'), runBy('packages/ai-sdk/test/readme.test.ts')],
  'packages/openai-agents/README.md': [runBy('scripts/packed/readme.long.test.ts'), runBy('packages/openai-agents/test/readme.test.ts')],
  'packages/coding-agents/README.md': [runBy('packages/coding-agents/test/hosts/agent-sdk.long.test.ts')],
  'packages/langchain/README.md': times(3, runBy('scripts/packed/readme.long.test.ts')),
  'packages/otel/README.md': [runBy('scripts/packed/readme.long.test.ts')],
  'packages/recall/README.md': [
    runBy('scripts/packed/readme.long.test.ts'),
    compiled("import { recallProvider, sqliteRecallIndex } from '@hermes/recall'"),
  ],
  'packages/postgres/README.md': times(3, runBy('packages/postgres/test/readme.test.ts')),
  'packages/testing/README.md': [runBy('scripts/packed/readme.long.test.ts')],
  'packages/sqlite/README.md': [runBy('packages/sqlite/test/readme.test.ts')],
  'examples/next-chat/README.md': [runBy('examples/next-chat/test/next-chat.long.test.ts')],
  'examples/providers/README.md': [runBy('examples/providers/test/supermemory.test.ts')],
}
